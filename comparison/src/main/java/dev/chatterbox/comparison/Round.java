package dev.chatterbox.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measured window of a cell, as {@code results.json} has it; docs/results.md tells what each figure is.
 *
 * @param reasons why it is not valid
 * @param warnings what makes it less trustworthy, and still valid
 * @param cpu microseconds per correct call, by role
 * @param rate requests started per second; open model only
 * @param otherLoad the part of all processors that went to other programs
 */
record Round(
        int round,
        boolean valid,
        List<String> reasons,
        List<String> warnings,
        double seconds,
        long requests,
        long calls,
        long failed,
        Map<String, Long> failures,
        @Nullable Double requestsPerSecond,
        @Nullable Double callsPerSecond,
        Latency requestLatency,
        Latency callLatency,
        Map<String, Long> callOutcomes,
        long unmatchedReplies,
        Map<String, @Nullable Double> cpu,
        Map<String, @Nullable Double> allocatedBytesPerCall,
        Map<String, MemoryUse> memory,
        Warmth warmUp,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double rate,
        @Nullable Double otherLoad) {

    /** Resident bytes before the run, and at most in the window. */
    record MemoryUse(@Nullable Long idleBytes, @Nullable Long peakBytes) {}

    record Warmth(double seconds, boolean stable) {}

    Round invalid(String reason) {
        List<String> all = new java.util.ArrayList<>(reasons);
        all.add(reason);
        return new Round(
                round,
                false,
                all,
                warnings,
                seconds,
                requests,
                calls,
                failed,
                failures,
                requestsPerSecond,
                callsPerSecond,
                requestLatency,
                callLatency,
                callOutcomes,
                unmatchedReplies,
                cpu,
                allocatedBytesPerCall,
                memory,
                warmUp,
                rate,
                otherLoad);
    }
}
