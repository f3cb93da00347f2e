package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Sums;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The charts of a page, for charts.js: rows as bars, as percentiles or as ratios, and lines over an axis. */
final class Charts {

    /** The parts of a bar that shows a cost, by the roles that take each other's places. */
    private static final List<List<String>> PARTS = List.of(
            List.of(Role.AGGREGATOR, Role.PRODUCER),
            List.of(Role.CLIENT),
            List.of(Role.RESPONDER, Role.CONSUMER),
            List.of(Role.BROKER));

    private final Map<String, Object> specs = new LinkedHashMap<>();

    /** The key that explains the marks and shades of charts. */
    enum Key {
        NONE,
        PROCESSES,
        PERCENTILES
    }

    /**
     * A chart's place on the page.
     *
     * @param label what it shows, as text for people who cannot see it
     */
    record Panel(String id, String title, String label) {}

    /**
     * One line of a chart of rows.
     *
     * @param text the text beside the row's name; may be empty
     * @param parts the parts of a bar, one beside the other; empty if it is no bar
     * @param value the length of the bar, or the point; null if there is none
     * @param from the lower end of the interval; null without an interval
     * @param percentiles p50, p90, p95, p99, p99.9 and the maximum, null if unknown; empty if it is a bar or a point
     * @param label the text at its end
     */
    record Bar(
            String row,
            String text,
            List<Double> parts,
            @Nullable Double value,
            @Nullable Double from,
            @Nullable Double to,
            List<@Nullable Double> percentiles,
            String label,
            boolean doubted) {

        /** An estimate with its interval. */
        static Bar of(String row, String text, List<Double> parts, Estimate estimate, String label, boolean doubted) {
            return new Bar(
                    row,
                    text,
                    parts,
                    finite(estimate.value()),
                    finite(estimate.from()),
                    finite(estimate.to()),
                    List.of(),
                    label,
                    doubted);
        }

        static Bar ratio(String row, Workload workload, Estimate ratio) {
            return of(
                    row,
                    Axis.text(workload),
                    List.of(),
                    ratio,
                    Numbers.ratio(ratio.value()),
                    !ratio.caveats().isEmpty());
        }
    }

    /** @param points each point has x, y, and the ends of the interval of y, which are y if there is no interval */
    record Curve(String row, List<List<Double>> points) {}

    /** The charts by the ids of their panels. */
    Map<String, Object> specs() {
        return specs;
    }

    private Panel panel(String title, String label, Map<String, Object> spec) {
        String id = "chart-" + (specs.size() + 1);
        specs.put(id, spec);
        return new Panel(id, title, label);
    }

    private Panel bars(String kind, String unit, String title, String what, List<Bar> bars) {
        return panel(title, what + ", " + title, Map.of("kind", kind, "unit", unit, "bars", bars));
    }

    /** The cost of a call by process, with its interval. */
    Panel cpu(Ranking ranking) {
        return bars(
                "stack",
                "micros",
                Axis.text(ranking.workload()),
                "CPU-microseconds a call by row",
                ranking.places().stream()
                        .map(place -> estimated(
                                place,
                                place.cost(),
                                PARTS.stream()
                                        .map(roles -> roles.stream()
                                                .mapToDouble(role -> place.cell()
                                                        .cpuMicros(role)
                                                        .orElse(0))
                                                .sum())
                                        .toList(),
                                Numbers.digits(place.cost().value()) + " µs"))
                        .toList());
    }

    Panel throughput(Ranking ranking) {
        return bars(
                "stack",
                "rate",
                Axis.text(ranking.workload()),
                "Requests a second by row",
                ranking.places().stream()
                        .map(place -> estimated(
                                place,
                                place.throughput(),
                                Stream.ofNullable(finite(place.throughput().value()))
                                        .toList(),
                                Numbers.rate(place.throughput().value())))
                        .toList());
    }

    private static Bar estimated(Place place, Estimate estimate, List<Double> parts, String label) {
        return Bar.of(
                place.row(),
                place.rank() == 0 ? "" : place.rank() + ".",
                parts,
                estimate,
                label,
                !place.cell().caveats().isEmpty());
    }

    /** The chart of the latencies; empty if no request was timed. */
    Optional<Panel> latency(Ranking ranking) {
        List<Bar> bars = ranking.cells().stream()
                .filter(cell -> cell.requestLatency().p50() != null)
                .map(Charts::latency)
                .toList();
        return bars.isEmpty()
                ? Optional.empty()
                : Optional.of(bars(
                        "percentiles",
                        "seconds",
                        Axis.text(ranking.workload()),
                        "Percentiles of the latency of requests by row",
                        bars));
    }

    private static Bar latency(Cell cell) {
        Latency latency = cell.requestLatency();
        return new Bar(
                cell.row(),
                "",
                List.of(),
                latency.p50(),
                null,
                null,
                Arrays.asList(
                        latency.p50(), latency.p90(), latency.p95(), latency.p99(), latency.p999(), latency.max()),
                Numbers.joined(
                        " · ",
                        RunTables.percentile(latency, Latency::p50),
                        RunTables.percentile(latency, Latency::p99)),
                !cell.caveats().isEmpty());
    }

    /** Ratios with the intervals around them, beside a line at 1. */
    Panel ratios(String title, List<Bar> ratios) {
        return bars("ratios", "ratio", title, "Ratios by row", ratios);
    }

    /** Figures over each axis on which rows were measured at two points or more. */
    List<Panel> lines(List<Cell> cells, Estimator estimator) {
        List<Panel> panels = new ArrayList<>();
        for (Axis axis : Axis.values()) {
            for (List<Cell> alike : axis.lines(cells)) {
                for (Axis.Figure figure : axis.figures()) {
                    lines(axis, figure, alike, estimator).ifPresent(panels::add);
                }
            }
        }
        return panels;
    }

    private Optional<Panel> lines(Axis axis, Axis.Figure figure, List<Cell> alike, Estimator estimator) {
        Map<String, List<List<Double>>> points = new LinkedHashMap<>();
        for (Cell cell : alike) {
            point(axis, figure, cell, estimator)
                    .ifPresent(point -> points.computeIfAbsent(cell.row(), row -> new ArrayList<>())
                            .add(point));
        }
        List<Curve> curves = points.entrySet().stream()
                .map(row -> new Curve(row.getKey(), row.getValue()))
                .toList();
        if (curves.stream().noneMatch(curve -> curve.points().size() > 1)) {
            return Optional.empty();
        }
        Workload workload = alike.get(0).workload();
        return Optional.of(panel(
                figure.title(workload) + " over " + axis.title(workload),
                figure.title(workload) + " over " + axis.title(),
                Map.of("kind", "lines", "unit", figure.unit, "of", axis.title(), "curves", curves)));
    }

    private static Optional<List<Double>> point(Axis axis, Axis.Figure figure, Cell cell, Estimator estimator) {
        double x = axis.number(cell.workload());
        if (figure != Axis.Figure.COST) {
            return figure.of(cell).map(y -> List.of(x, y, y, y));
        }
        Estimate cost = estimator.figure(Sums.cpu(cell));
        if (!(cost.value() > 0)) {
            return Optional.empty();
        }
        return Optional.of(
                cost.hasInterval()
                        ? List.of(x, cost.value(), cost.from(), cost.to())
                        : List.of(x, cost.value(), cost.value(), cost.value()));
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
