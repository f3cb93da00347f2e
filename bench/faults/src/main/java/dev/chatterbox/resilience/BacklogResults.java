package dev.chatterbox.resilience;

import dev.chatterbox.results.Environment;
import java.time.LocalDateTime;
import java.util.List;

/**
 * The backlogs that were measured, and where.
 *
 * @param command the command line as a person typed it
 * @param started the time of the start, by this machine's clock
 */
public record BacklogResults(
        String command, LocalDateTime started, Environment environment, List<BacklogResult> measured) {

    /** Whether something was measured, and all criteria were met. */
    public boolean allMet() {
        return !measured.isEmpty() && measured.stream().allMatch(BacklogResult::met);
    }

    /** The results in one sentence. */
    public String summary() {
        return "%d backlogs, %d of which missed a criterion."
                .formatted(
                        measured.size(),
                        measured.stream().filter(one -> !one.met()).count());
    }
}
