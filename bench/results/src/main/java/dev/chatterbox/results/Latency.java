package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Percentiles in seconds, over all slices, also of requests that failed; null where nothing was measured, or where
 * fewer than ten samples lie beyond.
 *
 * @param atLeast from here on, in seconds, a percentile is only known to be as long as this or longer, for some
 *     request was never answered; absent where each was
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
