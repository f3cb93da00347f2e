package dev.chatterbox.aggregator.client;

import java.time.Duration;

/**
 * How much of a row may be under way at its client at once.
 *
 * @param maxInFlight messages, over all requests, 1 or more
 * @param streamedInputs inputs of streams besides, 0 where the row has no streams
 * @param maxBytesInFlight of payloads, over all requests, 0 or more
 * @param callTimeout from the sending of a call to its reply, more than zero
 */
public record CallLimits(int maxInFlight, int streamedInputs, long maxBytesInFlight, Duration callTimeout) {

    /**
     * How many calls may be outstanding: messages, and inputs of streams.
     *
     * @param ofClient as many messages as the client can have under way at once
     */
    public int maxOutstanding(int ofClient) {
        return Math.min(maxInFlight, ofClient) + streamedInputs;
    }
}
