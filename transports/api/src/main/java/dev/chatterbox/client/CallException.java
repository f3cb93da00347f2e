package dev.chatterbox.client;

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

    /** The error of a call that is outstanding when its client stops, or is made after that. */
    public static CallException stopping() {
        return new CallException(Outcome.UNAVAILABLE, "the aggregator is stopping");
    }

    public Outcome outcome() {
        return outcome;
    }
}
