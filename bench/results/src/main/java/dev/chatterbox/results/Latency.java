package dev.chatterbox.results;

import org.jspecify.annotations.Nullable;

/**
 * Percentiles in seconds; null where nothing was measured, or where too few samples lie beyond: ten for several
 * rounds together, one for a single round.
 */
public record Latency(
        @Nullable Double p50,
        @Nullable Double p90,
        @Nullable Double p95,
        @Nullable Double p99,
        @Nullable Double p999,
        @Nullable Double max) {

    public static final Latency NONE = new Latency(null, null, null, null, null, null);
}
