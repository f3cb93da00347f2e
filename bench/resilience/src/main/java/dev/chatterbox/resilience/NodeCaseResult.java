package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.RequestRecorder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one case in which nodes of a cluster were away.
 *
 * @param rate requests a second, half of what the row could do before
 * @param nodes the names of those that were away
 * @param leaders who led before
 * @param missed sentences about the criteria that were not met; empty if all were met
 */
record NodeCaseResult(
        String row,
        String name,
        String what,
        double rate,
        List<String> nodes,
        String leaders,
        List<Phase> phases,
        List<String> missed) {

    /**
     * A part of a case.
     *
     * @param name {@code before}, {@code away}, {@code one back} or {@code back}
     * @param p99 of the right answers, in seconds; 0 if there were none
     * @param firstRight seconds from the begin of the phase, or from the return of a node, to the first right answer;
     *     null if there was none
     * @param rightAgain the same to the first answer from which on all were right; null if the last was not right
     */
    record Phase(
            String name,
            RequestCounts answers,
            double p99,
            @Nullable Double firstRight,
            @Nullable Double rightAgain) {

        static Phase of(String name, RequestRecorder recorder) {
            return new Phase(
                    name,
                    recorder.counts(),
                    recorder.p99(),
                    recorder.firstRight().orElse(null),
                    recorder.recovery().orElse(null));
        }
    }

    boolean met() {
        return missed.isEmpty();
    }
}
