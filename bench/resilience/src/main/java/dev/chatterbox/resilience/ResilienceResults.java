package dev.chatterbox.resilience;

import dev.chatterbox.results.Environment;
import java.time.LocalDateTime;
import java.util.List;

/**
 * The results of a run, and where it ran.
 *
 * @param command the command line as a person typed it
 * @param started the time of the start, by this machine's clock
 */
public record ResilienceResults(
        String command, LocalDateTime started, Environment environment, List<CaseResult> measured) {

    /** Whether something was measured, and all criteria were met. */
    public boolean allMet() {
        return !measured.isEmpty() && measured.stream().allMatch(CaseResult::met);
    }

    /** The results in one sentence. */
    public String summary() {
        return "%d cases, %d of which missed a criterion; %,d answers right, %d wrong."
                .formatted(
                        measured.size(),
                        measured.stream().filter(one -> !one.met()).count(),
                        measured.stream()
                                .mapToLong(one -> one.answers().right())
                                .sum(),
                        measured.stream()
                                .mapToLong(one -> one.answers().wrong())
                                .sum());
    }
}
