package dev.chatterbox.resilience;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one case on one row.
 *
 * @param what was done, in one line
 * @param seconds that it took in all
 * @param answers to the requests of the row
 * @param others likewise, of the row beside it; null where there was none
 * @param recovery from the return of what was broken to the first answer since which all were right, in seconds; the
 *     longest, where there were several faults; null where the row did not get well
 * @param before what the processes held before; null where they could not be examined
 * @param after what they held when all requests had ended, likewise
 * @param remarks what is worth knowing besides
 * @param missed criteria that were not met, as sentences; none means that it is as it should be
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
