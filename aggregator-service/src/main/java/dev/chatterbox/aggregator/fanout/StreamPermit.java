package dev.chatterbox.aggregator.fanout;

import java.util.concurrent.atomic.AtomicReference;

/**
 * One stream's permit to be open, which is one of the permits for messages. It is acquired when there is room, or given
 * up before that; it is released once.
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
