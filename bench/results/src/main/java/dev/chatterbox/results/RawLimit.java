package dev.chatterbox.results;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the bare client library of a row reached against the same responder and broker, without Spring and Reactor.
 *
 * @param inFlight calls under way at once
 * @param reasons why it is not valid, in words
 * @param spread (max − min) ÷ median of the calls per second; null for fewer than two rounds
 */
public record RawLimit(
        String row,
        boolean valid,
        List<String> reasons,
        int inFlight,
        List<Reached> rounds,
        Reached median,
        @Nullable Double spread) {

    public RawLimit {
        median = median == null ? new Reached(null, Map.of(), null) : median;
    }

    /**
     * @param cpu microseconds per call, by role
     * @param cpuSystem the sum of client, responder and broker; in the median the median of the rounds' sums
     */
    public record Reached(
            @Nullable Double callsPerSecond,
            Map<String, @Nullable Double> cpu,
            @Nullable Double cpuSystem) {}
}
