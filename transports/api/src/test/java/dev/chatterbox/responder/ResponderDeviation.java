package dev.chatterbox.responder;

/**
 * The points in which a responder that shows its library's defaults may differ from what {@link ResponderKit} requires.
 * The test of such a point asserts what happens instead.
 */
public enum ResponderDeviation {
    /** A wrong request gets no reply: it is delivered ten times, logged, and skipped. */
    LEAVES_FAULTY_REQUESTS_UNANSWERED,
    /** A delay or a wait holds the thread that reads the requests, so they add up. */
    ANSWERS_ONE_AT_A_TIME,
    /** It squares only: the work that a call asks for besides is ignored. */
    IGNORES_WORK,
    /** It is healthy while its broker is away, once it was connected, and ends where the broker's name is unknown. */
    SHOWS_NO_OUTAGE
}
