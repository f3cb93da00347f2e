package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.CallWork;

/** The work of requests whose calls ask for the squares only. */
public final class TestWork {

    private TestWork() {}

    public static Work unary(int n, int payload) {
        return new Work(CallMode.UNARY, n, 1, payload, CallWork.NONE);
    }

    /** @param size the most inputs of a message; it may be more than n */
    static Work batch(int n, int size, int payload) {
        return new Work(CallMode.BATCH, n, Math.min(size, n), payload, CallWork.NONE);
    }

    static Work stream(int n, int payload) {
        return new Work(CallMode.STREAM, n, 1, payload, CallWork.NONE);
    }
}
