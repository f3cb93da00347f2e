package dev.chatterbox.client;

/** A client whose variant may have the call mode {@code stream}. */
public interface SquareStreamClient extends SquareClient {

    /**
     * A stream for the numbers 1 to n. It is open from its first input on. While it is open, the stream counts as one
     * of {@link #maxInFlight}, and its inputs do not.
     *
     * @param n 1 or more: so many inputs are sent, in any order
     */
    SquareStream stream(int n);

    /** The largest message of a stream, input or output; otherwise like {@link #messageLimit}. */
    default MessageLimit streamedMessageLimit() {
        return messageLimit();
    }
}
