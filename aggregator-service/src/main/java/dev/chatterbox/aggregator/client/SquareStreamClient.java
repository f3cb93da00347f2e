package dev.chatterbox.aggregator.client;

/** A client whose row may have the exchange {@code stream}. */
public interface SquareStreamClient extends SquareClient {

    /**
     * A stream for the numbers 1 to n. It is open from its first input on, and is then one of the
     * {@link #maxInFlight}, not each of its inputs.
     *
     * @param n 1 or more: as many inputs are sent, in any order
     */
    SquareStream stream(int n);

    /** The largest message, input or output, of a stream; as {@link #messageLimit}. */
    default MessageLimit streamedMessageLimit() {
        return messageLimit();
    }
}
