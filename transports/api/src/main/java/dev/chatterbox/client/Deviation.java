package dev.chatterbox.client;

/**
 * The points in which a library's defaults may differ from the contract of {@link SquareClient}. A stock client
 * declares those of its library; {@code SquareClientContract} asserts that each of them is real, and that there is no
 * other.
 */
public enum Deviation {
    WAITS_FOR_THE_BROKER(
            "While the broker is unreachable, a call waits for it until its deadline, instead of failing at once."),
    WAITS_FOR_A_RESPONDER(
            "Where no responder has ever been, a call waits for one until its deadline, though the broker could tell."),
    SHOWS_NO_OUTAGE("It is shown as up from its first connection on, also while the broker is unreachable."),
    CONNECTS_ONCE("It connects once, at the start: a broker that is unreachable then is not tried again."),
    GIVES_UP_CONNECTING(
            "Once a connection to its square service could not be made, none is tried until the aggregator starts again."),
    NOTICES_LATE(
            "A call that is made in the moment after its connection was lost fails too, though a new one could be made."),
    SENDS_AGAIN("A call whose connection is lost before its reply begins is sent again, once."),
    KEEPS_UNSENT_CALLS("A call that cannot be sent keeps its entry for good."),
    KEEPS_CANCELLED_CALLS("A call that is cancelled keeps its entry until its deadline."),
    IGNORES_THE_STOP("A call that is outstanding when the client stops is not ended by that.");

    private final String sentence;

    Deviation(String sentence) {
        this.sentence = sentence;
    }

    /** The deviation in words, for readers of a comparison. */
    public String sentence() {
        return sentence;
    }
}
