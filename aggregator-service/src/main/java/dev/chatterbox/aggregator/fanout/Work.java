package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.transport.Exchange;

/**
 * What one request asks for: the squares of 1 to n, by messages of one kind.
 *
 * @param exchange how they travel
 * @param n 1 or more
 * @param size inputs of a message, 1 to n; the last may have fewer
 * @param payload bytes of each input
 */
public record Work(Exchange exchange, int n, int size, int payload) {

    public static Work unary(int n, int payload) {
        return new Work(Exchange.UNARY, n, 1, payload);
    }

    /** @param size that a message may have, also where that is more than there are */
    public static Work batch(int n, int size, int payload) {
        return new Work(Exchange.BATCH, n, Math.min(size, n), payload);
    }

    /** Each input and each output is a message of the stream. */
    public static Work stream(int n, int payload) {
        return new Work(Exchange.STREAM, n, 1, payload);
    }

    /** How many messages it takes. */
    int messages() {
        return (n + size - 1) / size;
    }

    /** Of the payloads of a message. */
    long bytes() {
        return (long) size * payload;
    }
}
