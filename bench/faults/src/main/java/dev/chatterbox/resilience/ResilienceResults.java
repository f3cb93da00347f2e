package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.results.Environment;
import java.time.LocalDateTime;
import java.util.List;

/**
 * The results of a run, and where it ran.
 *
 * @param command the command line as a person typed it
 * @param queues the runs of the exchange queue during which something broke
 * @param started the time of the start, by this machine's clock
 */
public record ResilienceResults(
        String command,
        LocalDateTime started,
        Environment environment,
        List<CaseResult> measured,
        List<QueueCaseResult> queues) {

    /** Whether something was measured, and all criteria were met. */
    public boolean allMet() {
        return measured.size() + queues.size() > 0
                && measured.stream().allMatch(CaseResult::met)
                && queues.stream().allMatch(QueueCaseResult::met);
    }

    /** The results in one sentence. */
    public String summary() {
        List<RequestCounts> answers = measured.stream()
                .flatMap(result -> result.phases().stream())
                .map(CaseResult.Phase::answers)
                .toList();
        long missed = measured.stream().filter(one -> !one.met()).count()
                + queues.stream().filter(one -> !one.met()).count();
        return "%d cases, %d of which missed a criterion; %,d answers right, %d wrong."
                .formatted(
                        measured.size() + queues.size(),
                        missed,
                        answers.stream().mapToLong(RequestCounts::right).sum(),
                        answers.stream().mapToLong(RequestCounts::wrong).sum());
    }
}
