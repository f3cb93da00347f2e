package dev.chatterbox.comparison;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Seconds; null where nothing was measured. */
record Latency(
        @Nullable Double p50,
        @Nullable Double p90,
        @Nullable Double p95,
        @Nullable Double p99,
        @Nullable Double max) {

    static final Latency NONE = new Latency(null, null, null, null, null);

    static Latency of(JsonNode node) {
        return new Latency(
                number(node, "p50"),
                number(node, "p90"),
                number(node, "p95"),
                number(node, "p99"),
                number(node, "max"));
    }

    private static @Nullable Double number(JsonNode node, String name) {
        return node.path(name).isNumber() ? Statistics.rounded(node.path(name).doubleValue()) : null;
    }

    static Latency of(Histogram histogram, double decayingMax) {
        Double max = histogram.largest(decayingMax);
        double largest = max == null ? 0 : max;
        return new Latency(
                Statistics.rounded(histogram.quantile(0.5, largest)),
                Statistics.rounded(histogram.quantile(0.9, largest)),
                Statistics.rounded(histogram.quantile(0.95, largest)),
                Statistics.rounded(histogram.quantile(0.99, largest)),
                Statistics.rounded(max));
    }

    static Latency median(List<Latency> rounds) {
        return new Latency(
                median(rounds, Latency::p50),
                median(rounds, Latency::p90),
                median(rounds, Latency::p95),
                median(rounds, Latency::p99),
                median(rounds, Latency::max));
    }

    private static @Nullable Double median(List<Latency> rounds, Function<Latency, @Nullable Double> value) {
        Collection<@Nullable Double> values =
                rounds.stream().<@Nullable Double>map(value).toList();
        return Statistics.median(values);
    }
}
