package dev.chatterbox.client;

import java.util.Locale;

/** How a call, or a whole request, ended. Metrics have its lower-case name. */
public enum Outcome {
    OK,
    /** Nobody answered within the deadline. */
    TIMEOUT,
    /** The backend or the broker was not there, or a limit did not admit the request. */
    UNAVAILABLE,
    /** An answer came, and it was not the square of the number. */
    WRONG,
    /** An error reply came, or a reply that cannot be read. */
    ERROR,
    /** The user went away, or another call of the same request failed. */
    CANCELLED;

    private final String tag = name().toLowerCase(Locale.ROOT);

    public String tag() {
        return tag;
    }

    /** The outcome of a call that ended with this error. */
    public static Outcome of(Throwable error) {
        return error instanceof CallException failure ? failure.outcome() : ERROR;
    }
}
