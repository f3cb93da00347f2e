package dev.chatterbox.aggregator.fanout;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The permit of one stream to be open, which is one of those for messages. Acquired when there is room, or given up
 * before; released once.
 */
final class StreamPermit implements InFlightLimit.Caller {

    private final InFlightLimit.Share share;
    private final Runnable acquired;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    private enum State {
        WAITING,
        ACQUIRED,
        RELEASED
    }

    /** @param acquired runs when the stream may be opened, on the thread that ended another call */
    StreamPermit(InFlightLimit limit, Runnable acquired) {
        share = limit.stream(this);
        this.acquired = acquired;
    }

    void acquire() {
        share.enter();
    }

    void release() {
        State before = state.getAndSet(State.RELEASED);
        if (before == State.ACQUIRED) {
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
        if (state.compareAndSet(State.WAITING, State.ACQUIRED)) {
            acquired.run();
        } else {
            share.ended();
        }
    }
}
