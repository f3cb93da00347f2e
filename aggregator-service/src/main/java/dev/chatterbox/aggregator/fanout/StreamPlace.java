package dev.chatterbox.aggregator.fanout;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The place of one stream among those that may be open at once. Taken when there is room, given back once, whichever
 * comes first.
 */
final class StreamPlace implements InFlightLimit.Caller {

    private final InFlightLimit.Share share;
    private final Runnable taken;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    private enum State {
        WAITING,
        TAKEN,
        GIVEN_BACK
    }

    /**
     * @param streams counts a stream as a message
     * @param taken runs when the stream may be opened, on the thread that ended another
     */
    StreamPlace(InFlightLimit streams, Runnable taken) {
        share = streams.share(this, Work.unary(1, 0));
        this.taken = taken;
    }

    void take() {
        share.enter();
    }

    void giveBack() {
        State before = state.getAndSet(State.GIVEN_BACK);
        if (before == State.TAKEN) {
            share.ended();
        } else if (before == State.WAITING) {
            share.leave();
        }
    }

    @Override
    public boolean wantsMore() {
        return false;
    }

    @Override
    public void sendNext() {
        if (state.compareAndSet(State.WAITING, State.TAKEN)) {
            taken.run();
        } else {
            share.ended();
        }
    }
}
