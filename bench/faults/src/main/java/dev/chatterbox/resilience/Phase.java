package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.RequestRecorder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The requests in a part of a case.
 *
 * @param name {@code before}, {@code away}, {@code one back} or {@code back}; empty for all of a case
 * @param p99 of the right answers, in seconds; 0 if there were none
 * @param firstRight seconds from the begin of the phase, or from the return of what was broken, to the first right
 *     answer; null if there was none
 * @param rightAgain the same to the first answer from which on all were right; null if the variant did not recover
 */
record Phase(
        String name,
        RequestCounts answers,
        double p99,
        @Nullable Double firstRight,
        @Nullable Double rightAgain) {

    static final String TABLE = "Requests";

    static Phase of(String name, RequestRecorder recorder, @Nullable Double rightAgain) {
        return new Phase(
                name, recorder.counts(), recorder.p99(), recorder.firstRight().orElse(null), rightAgain);
    }

    Figures figures() {
        return new Figures()
                .text("phase", name)
                .count("right", answers.right())
                .count("wrong", answers.wrong())
                .add("errors", answers.errors(), errors(answers))
                .seconds("recovered after", rightAgain, "never")
                .seconds("longest error", answers.errors().isEmpty() ? null : answers.longestError(), "")
                .seconds("longest right", answers.longestRight(), "")
                .seconds("p99", p99, "")
                .seconds("first right after", firstRight, "never")
                .add("reasons", answers.reasons(), "");
    }

    static String errors(RequestCounts answers) {
        return answers.errors().isEmpty()
                ? "none"
                : answers.errors().entrySet().stream()
                        .map(error -> "%s × %,d".formatted(error.getKey(), error.getValue()))
                        .collect(Collectors.joining(", "));
    }
}
