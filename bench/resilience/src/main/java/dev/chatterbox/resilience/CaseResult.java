package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.RequestCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one case on one row.
 *
 * @param what describes the case in one line
 * @param seconds the duration of the whole case
 * @param answers counts of the requests to the row
 * @param others counts of the requests to the row beside it; null if there was none
 * @param recovery in seconds, from the return of what was broken to the first of the answers that were all right from
 *     then on; the longest, if there were several faults; null if the row did not get well
 * @param before what the processes held before the case; null if they could not be examined
 * @param after what the processes held when all requests had ended; null if they could not be examined
 * @param remarks sentences with further facts
 * @param missed sentences about the criteria that were not met; empty if all were met
 */
record CaseResult(
        String row,
        String name,
        String what,
        double seconds,
        RequestCounts answers,
        @Nullable RequestCounts others,
        @Nullable Double recovery,
        @Nullable Footprint before,
        @Nullable Footprint after,
        List<String> remarks,
        List<String> missed) {

    boolean met() {
        return missed.isEmpty();
    }
}
