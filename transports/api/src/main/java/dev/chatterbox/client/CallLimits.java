package dev.chatterbox.client;

import java.time.Duration;

/**
 * How much of a variant may be in flight at its client at once.
 *
 * @param maxInFlight messages, over all requests, 1 or more
 * @param streamedInputs inputs of streams, in addition to the messages; 0 if the variant has no streams
 * @param maxBytesInFlight bytes of payloads, over all requests, 0 or more
 * @param callTimeout the deadline of a call, from its sending to its reply; more than zero
 */
public record CallLimits(int maxInFlight, int streamedInputs, long maxBytesInFlight, Duration callTimeout) {

    /**
     * How many calls may be outstanding: messages, and inputs of streams.
     *
     * @param ofClient the largest number of messages that the client can have in flight at once
     */
    public int maxOutstanding(int ofClient) {
        return Math.min(maxInFlight, ofClient) + streamedInputs;
    }
}
