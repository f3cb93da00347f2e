package dev.chatterbox.client;

import dev.chatterbox.transport.CallWork;
import java.time.Duration;

/** Requests that are not traced, without work. */
public final class TestRequests {

    private TestRequests() {}

    /** A unary request without a payload. */
    public static SquareRequest of(int number, Duration timeout) {
        return of(number, 0, timeout);
    }

    /** A unary request. */
    public static SquareRequest of(int number, int payload, Duration timeout) {
        return of(false, number, 1, payload, timeout);
    }

    /** As the components of {@link SquareRequest} say. */
    public static SquareRequest of(boolean batch, int number, int count, int payload, Duration timeout) {
        return new SquareRequest(batch, number, count, payload, CallWork.NONE, timeout, null);
    }
}
