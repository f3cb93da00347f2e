package dev.chatterbox.results;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is compared: of one round, or the median over several. Null could not be measured.
 *
 * @param requestsPerSecond that ended well
 * @param callsPerSecond that ended well, by the aggregator
 * @param requestLatency by the generator; in the open model from the intended start
 * @param callLatency from sent to replied, by the aggregator
 * @param cpu microseconds per correct call, user and system, by role
 * @param cpuTotal the sum of all roles; in a median the median of the rounds' sums
 * @param allocatedBytesPerCall by role
 * @param memory resident bytes, by role
 */
public record Figures(
        @Nullable Double requestsPerSecond,
        @Nullable Double callsPerSecond,
        Latency requestLatency,
        Latency callLatency,
        Map<String, @Nullable Double> cpu,
        @Nullable Double cpuTotal,
        Map<String, @Nullable Double> allocatedBytesPerCall,
        Map<String, MemoryUse> memory) {

    public static final Figures NONE =
            new Figures(null, null, Latency.NONE, Latency.NONE, Map.of(), null, Map.of(), Map.of());

    public Figures {
        // Where a file tells nothing of them.
        requestLatency = requestLatency == null ? Latency.NONE : requestLatency;
        callLatency = callLatency == null ? Latency.NONE : callLatency;
    }

    /** Resident bytes before the run, and at most in the window. */
    public record MemoryUse(
            @Nullable Long idleBytes, @Nullable Long peakBytes) {}
}
