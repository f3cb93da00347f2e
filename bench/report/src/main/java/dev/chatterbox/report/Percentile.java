package dev.chatterbox.report;

import dev.chatterbox.results.Latency;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The points of a distribution of latencies that are shown. */
enum Percentile {
    P50("p50", Latency::p50),
    P90("p90", Latency::p90),
    P95("p95", Latency::p95),
    P99("p99", Latency::p99),
    P999("p99.9", Latency::p999),
    MAX("max", Latency::max);

    private final String title;
    private final Function<Latency, @Nullable Double> value;

    Percentile(String title, Function<Latency, @Nullable Double> value) {
        this.title = title;
        this.value = value;
    }

    String title() {
        return title;
    }

    /** Seconds; NaN if it was not measured. */
    double of(Latency latency) {
        return Numbers.orNaN(value.apply(latency));
    }
}
