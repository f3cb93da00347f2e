package dev.chatterbox.comparison;

/** A comparison that failed half-way; the message says what happened. What was measured until then is kept. */
public final class ComparisonException extends RuntimeException {

    public ComparisonException(String message) {
        super(message);
    }
}
