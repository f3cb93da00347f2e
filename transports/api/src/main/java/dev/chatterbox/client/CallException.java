package dev.chatterbox.client;

import org.jspecify.annotations.Nullable;

/**
 * A call ended without a right answer. It has no stack trace, because the message says everything, and a broker's death
 * ends thousands of calls at once.
 */
public final class CallException extends RuntimeException {

    private final Outcome outcome;

    /** @param message what happened, for the user: it becomes the detail of a problem */
    public CallException(Outcome outcome, String message) {
        super(message, null, false, false);
        this.outcome = outcome;
    }

    /** Whoever should answer is not there, or cannot be reached. */
    public static CallException unavailable(String message) {
        return new CallException(Outcome.UNAVAILABLE, message);
    }

    /** The same for a call to a square service without a broker between. */
    public static CallException noAnswer(@Nullable String reason) {
        return unavailable("no square service answers: " + reason);
    }

    /** The reply is an error, or cannot be read. */
    public static CallException error(String message) {
        return new CallException(Outcome.ERROR, message);
    }

    /** The error of a call that is outstanding when its client stops, or is made after that. */
    public static CallException stopping() {
        return unavailable("the aggregator is stopping");
    }

    public Outcome outcome() {
        return outcome;
    }
}
