package dev.chatterbox.results;

import org.jspecify.annotations.Nullable;

/** Seconds; null where nothing was measured. */
public record Latency(
        @Nullable Double p50,
        @Nullable Double p90,
        @Nullable Double p95,
        @Nullable Double p99,
        @Nullable Double max) {

    public static final Latency NONE = new Latency(null, null, null, null, null);
}
