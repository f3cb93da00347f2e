package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.RequestRecorder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one case on one row.
 *
 * @param seconds the duration of the whole case
 * @param phases in the order of time; a case that breaks one part has a single phase
 * @param others counts of the requests to the row beside it; null if there was none
 * @param held what the processes held; null if it was not examined
 * @param remarks sentences with further facts
 * @param missed sentences about the criteria that were not met; empty if all were met
 */
record CaseResult(
        String row,
        String name,
        double seconds,
        List<Phase> phases,
        @Nullable RequestCounts others,
        @Nullable Held held,
        List<String> remarks,
        List<String> missed) {

    /**
     * A part of a case.
     *
     * @param name {@code before}, {@code away}, {@code one back} or {@code back}; {@code whole} for all of a case
     * @param p99 of the right answers, in seconds; 0 if there were none
     * @param firstRight seconds from the begin of the phase, or from the return of what was broken, to the first right
     *     answer; null if there was none
     * @param rightAgain the same to the first answer from which on all were right; null if the row did not recover
     */
    record Phase(
            String name,
            RequestCounts answers,
            double p99,
            @Nullable Double firstRight,
            @Nullable Double rightAgain) {

        static Phase of(String name, RequestRecorder recorder) {
            return of(name, recorder, recorder.recovery().orElse(null));
        }

        static Phase of(String name, RequestRecorder recorder, @Nullable Double rightAgain) {
            return new Phase(
                    name,
                    recorder.counts(),
                    recorder.p99(),
                    recorder.firstRight().orElse(null),
                    rightAgain);
        }
    }

    /** What processes held before the case, and when all requests had ended. */
    record Held(Footprint before, Footprint after) {}

    /** A case that could not be carried out. */
    static CaseResult failed(String row, String name, String why) {
        return new CaseResult(row, name, 0, List.of(), null, null, List.of(), List.of(why));
    }

    boolean met() {
        return missed.isEmpty();
    }
}
