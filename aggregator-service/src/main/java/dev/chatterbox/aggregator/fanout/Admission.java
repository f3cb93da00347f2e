package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Bounds the requests that are being answered or wait for their turn, over all transports. Safe for concurrent use. */
final class Admission {

    private final int maxRequests;
    private final Semaphore permits;

    Admission(int maxRequests) {
        this.maxRequests = maxRequests;
        permits = new Semaphore(maxRequests);
    }

    /** @return null where the request is admitted, to be {@linkplain #release released} once; else why it is not */
    @Nullable
    CallException admit() {
        return permits.tryAcquire()
                ? null
                : new CallException(
                        Outcome.UNAVAILABLE,
                        "%d requests are being answered already (chatterbox.max-requests)".formatted(maxRequests));
    }

    void release() {
        permits.release();
    }
}
