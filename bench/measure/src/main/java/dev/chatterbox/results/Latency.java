package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Percentiles in seconds over all slices, also of requests that failed. A percentile is null if nothing was measured,
 * or if fewer than ten samples lie beyond it.
 *
 * @param atLeast from this value on, in seconds, a percentile is only a lower bound, because some request was never
 *     answered; absent if all requests were answered
 */
public record Latency(
        @Nullable Double p50,
        @Nullable Double p90,
        @Nullable Double p95,
        @Nullable Double p99,
        @Nullable Double p999,
        @Nullable Double max,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double atLeast) {

    public static final Latency NONE = new Latency(null, null, null, null, null, null, null);

    /** Whether a percentile is a lower bound, which is shown as ≥. */
    public boolean isLowerBound(double percentile) {
        return atLeast != null && percentile >= atLeast;
    }
}
