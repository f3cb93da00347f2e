package dev.chatterbox.resilience;

import dev.chatterbox.results.Environment;
import java.time.LocalDateTime;
import java.util.List;

/**
 * What a run measured, and where.
 *
 * @param command as it was typed
 * @param started by this machine's clock
 */
public record ResilienceResults(
        String command, LocalDateTime started, Environment environment, List<CaseResult> measured) {

    /** Whether something was measured, and no criterion missed. */
    public boolean allMet() {
        return !measured.isEmpty() && measured.stream().allMatch(CaseResult::met);
    }

    /** In a sentence. */
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
