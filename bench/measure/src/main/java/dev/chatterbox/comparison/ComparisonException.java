package dev.chatterbox.comparison;

import dev.chatterbox.results.Results;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A comparison that failed half-way; the message says what happened. What was measured until then is kept. */
public final class ComparisonException extends RuntimeException {

    private final transient @Nullable Results unwritten;

    public ComparisonException(String message) {
        this(message, null);
    }

    ComparisonException(String message, @Nullable Results unwritten) {
        super(message);
        this.unwritten = unwritten;
    }

    /** What was measured and could not be written; empty if it is in the results folder, or if there is nothing. */
    public Optional<Results> unwritten() {
        return Optional.ofNullable(unwritten);
    }
}
