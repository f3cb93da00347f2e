package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.CallWork;

/**
 * The work of one request: the squares of 1 to n, by messages of one kind.
 *
 * @param mode how the messages travel
 * @param n 1 or more
 * @param size inputs of a message, 1 to n; the last message may have fewer
 * @param payload bytes of each input
 * @param ofCall what each call asks of its responder besides the square
 */
public record Work(CallMode mode, int n, int size, int payload, CallWork ofCall) {

    /** How many messages the work takes. */
    public int messages() {
        return (n + size - 1) / size;
    }

    /** The bytes of the payloads of one message. */
    long bytes() {
        return (long) size * payload;
    }
}
