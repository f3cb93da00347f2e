package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Role;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The charts of a page, for charts.js: variants as bars, as percentiles or as ratios. */
final class Charts {

    /** The parts of a bar that shows a cost, by the roles that take each other's places. */
    private static final List<List<String>> PARTS = List.of(
            List.of(Role.AGGREGATOR, Role.PRODUCER),
            List.of(Role.CLIENT),
            List.of(Role.RESPONDER, Role.CONSUMER),
            List.of(Role.BROKER));

    private final Map<String, Object> specs = new LinkedHashMap<>();

    /**
     * A chart's place on the page.
     *
     * @param label what it shows, as text for people who cannot see it
     */
    record Panel(String id, String title, String label) {}

    /**
     * One line of a chart of variants.
     *
     * @param text the text beside the variant's name; may be empty
     * @param parts the parts of a bar, one beside the other; empty if it is no bar
     * @param points a figure and the ends of its interval; or p50, p90, p95, p99, p99.9 and the maximum. What is
     *     unknown is null
     * @param label the text at its end
     */
    record Bar(
            String variant,
            String text,
            List<@Nullable Double> parts,
            List<@Nullable Double> points,
            String label,
            boolean doubted) {

        private static Bar of(
                String variant,
                String text,
                List<@Nullable Double> parts,
                Estimate figure,
                DoubleFunction<String> label) {
            return new Bar(
                    variant,
                    text,
                    parts,
                    Arrays.asList(finite(figure.value()), finite(figure.from()), finite(figure.to())),
                    label.apply(figure.value()),
                    !figure.caveats().isEmpty());
        }
    }

    /** The charts by the ids of their panels. */
    Map<String, Object> specs() {
        return specs;
    }

    private Panel panel(String title, String label, Map<String, Object> spec) {
        String id = "chart-" + (specs.size() + 1);
        specs.put(id, spec);
        return new Panel(id, title, label);
    }

    private Panel bars(String kind, String unit, String title, String what, Stream<Bar> bars) {
        return panel(title, what + ", " + title, Map.of("kind", kind, "unit", unit, "bars", bars.toList()));
    }

    /** The cost of a call by process, with its interval. */
    Panel cpu(Ranking ranking) {
        return ranked(
                ranking,
                "micros",
                "CPU-microseconds a call by variant",
                Place::cost,
                value -> Numbers.digits(value) + " µs",
                cell -> PARTS.stream()
                        .map(roles -> (Double) roles.stream()
                                .mapToDouble(role -> cell.cpuMicros(role).orElse(0))
                                .sum())
                        .toList());
    }

    Panel throughput(Ranking ranking) {
        return ranked(
                ranking, "rate", "Requests a second by variant", Place::throughput, Numbers::rate, cell -> List.of());
    }

    /** @param parts the parts of a bar; none if it is one piece */
    private Panel ranked(
            Ranking ranking,
            String unit,
            String what,
            Function<Place, Estimate> figure,
            DoubleFunction<String> label,
            Function<Cell, List<@Nullable Double>> parts) {
        return bars(
                "stack",
                unit,
                WorkloadText.of(ranking.workload()),
                what,
                ranking.places().stream()
                        .map(place -> Bar.of(
                                place.variant(),
                                place.rank() == 0 ? "" : place.rank() + ".",
                                parts.apply(place.cell()),
                                figure.apply(place),
                                label)));
    }

    /** The latencies of the variants of which some request was timed. */
    Panel latency(Ranking ranking) {
        return bars(
                "percentiles",
                "seconds",
                WorkloadText.of(ranking.workload()),
                "Percentiles of the latency of requests by variant",
                ranking.cells().stream().filter(Charts::isTimed).map(Charts::latency));
    }

    static boolean isTimed(Cell cell) {
        return cell.requestLatency().p50() != null;
    }

    private static Bar latency(Cell cell) {
        Latency latency = cell.requestLatency();
        return new Bar(
                cell.variant(),
                "",
                List.of(),
                Arrays.asList(
                        latency.p50(), latency.p90(), latency.p95(), latency.p99(), latency.p999(), latency.max()),
                Numbers.joined(
                        " · ",
                        RunTables.percentile(latency, Latency::p50),
                        RunTables.percentile(latency, Latency::p99)),
                !cell.caveats().isEmpty());
    }

    /** Ratios with the intervals around them, beside a line at 1. */
    Panel ratios(String title, List<Against.Ratio> ratios) {
        return bars(
                "ratios",
                "ratio",
                title,
                "Ratios by variant",
                ratios.stream()
                        .map(ratio -> Bar.of(
                                ratio.variant(),
                                WorkloadText.of(ratio.workload()),
                                List.of(),
                                ratio.cpu(),
                                Numbers::ratio)));
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
