package dev.chatterbox.results;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is compared: of one round, or of several together: medians, but for the latencies, which are those of all
 * rounds' samples merged. Null could not be measured.
 *
 * @param requestsPerSecond that ended well
 * @param callsPerSecond that ended well, by the aggregator
 * @param requestLatency by the generator; in the open model from the intended start
 * @param callLatency from sent to replied, by the aggregator
 * @param cpu microseconds per correct call, user and system, by role
 * @param cpuSystem the sum of aggregator, responder and broker: the first figure of every ranking. In a median the
 *     median of the rounds' sums. The generator's and
 *     the network's CPU is in no sum
 * @param allocatedBytesPerCall by role
 * @param memory resident bytes, by role
 */
public record Figures(
        @Nullable Double requestsPerSecond,
        @Nullable Double callsPerSecond,
        Latency requestLatency,
        Latency callLatency,
        Map<String, @Nullable Double> cpu,
        @Nullable Double cpuSystem,
        Map<String, @Nullable Double> allocatedBytesPerCall,
        Map<String, MemoryUse> memory) {

    public static final Figures NONE =
            new Figures(null, null, Latency.NONE, Latency.NONE, Map.of(), null, Map.of(), Map.of());

    public Figures {
        // Where a file tells nothing of them.
        requestLatency = requestLatency == null ? Latency.NONE : requestLatency;
        callLatency = callLatency == null ? Latency.NONE : callLatency;
    }

    /**
     * The sum of {@link Role#SYSTEM}.
     *
     * @param cpu by role
     * @return null where the aggregator or another part of it could not be measured: a smaller sum would look like a
     *     cheaper row
     */
    public static @Nullable Double system(Map<String, @Nullable Double> cpu) {
        double sum = 0;
        for (String role : Role.SYSTEM) {
            Double part = cpu.get(role);
            if (part != null) {
                sum += part;
            } else if (role.equals(Role.AGGREGATOR) || cpu.containsKey(role)) {
                return null;
            }
        }
        return sum;
    }

    /** The same with another sum. */
    Figures withCpuSystem(@Nullable Double sum) {
        return new Figures(
                requestsPerSecond,
                callsPerSecond,
                requestLatency,
                callLatency,
                cpu,
                sum,
                allocatedBytesPerCall,
                memory);
    }

    /** Resident bytes before the run, and at most in the window. */
    public record MemoryUse(
            @Nullable Long idleBytes, @Nullable Long peakBytes) {}
}
