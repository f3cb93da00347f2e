package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Round;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Why something does not count, in words: each reason once, with its rounds. */
final class Reasons {

    private static final List<String> UNKNOWN = List.of("no reason was recorded");

    private Reasons() {}

    static List<String> of(Cell cell) {
        List<String> reasons =
                words(cell, round -> round.valid() || !round.reasons().isEmpty() ? round.reasons() : UNKNOWN);
        if (!reasons.isEmpty()) {
            return reasons;
        }
        return cell.rounds().isEmpty() ? List.of("no round was measured") : UNKNOWN;
    }

    static List<String> of(RawLimit limit) {
        return limit.reasons().isEmpty() ? UNKNOWN : limit.reasons();
    }

    /** What makes valid rounds less trustworthy. */
    static List<String> warnings(Cell cell) {
        return words(cell, Round::warnings);
    }

    private static List<String> words(Cell cell, Function<Round, List<String>> ofRound) {
        Map<String, List<String>> numbers = new LinkedHashMap<>();
        for (Round round : cell.rounds()) {
            for (String word : ofRound.apply(round)) {
                numbers.computeIfAbsent(word, w -> new ArrayList<>()).add(Integer.toString(round.round()));
            }
        }
        return numbers.entrySet().stream()
                .map(entry -> "%s (round%s %s)"
                        .formatted(
                                entry.getKey(),
                                entry.getValue().size() == 1 ? "" : "s",
                                Sentence.words(entry.getValue())))
                .toList();
    }
}
