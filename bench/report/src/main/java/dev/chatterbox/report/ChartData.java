package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Round;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What charts.js draws: bars and points by row in groups, or lines. Numbers come with their words, so that both agree.
 */
final class ChartData {

    private final MeasuredRun run;
    private final Palette palette;

    ChartData(MeasuredRun run, Palette palette) {
        this.run = run;
        this.palette = palette;
    }

    /** The parts of the system that were measured, in the order in which their CPU is stacked. */
    List<String> roles() {
        return Role.SYSTEM.stream()
                .filter(role -> run.results().cells().stream()
                        .anyMatch(cell -> cell.median().cpu().containsKey(role)))
                .toList();
    }

    static double cpu(Cell cell, String role) {
        return Numbers.orNaN(cell.median().cpu().get(role));
    }

    Map<String, Object> cpu(List<Workload> workloads) {
        return bars("stack", "micros", workloads, (cell, bar) -> {
            List<@Nullable Object> parts = new ArrayList<>();
            List<List<String>> tip = new ArrayList<>();
            for (String role : roles()) {
                double value = cpu(cell, role);
                parts.add(orNull(value));
                if (!Double.isNaN(value)) {
                    tip.add(List.of(role, Numbers.micros(value)));
                }
            }
            Figure total = Metric.CPU.of(cell);
            bar.put("parts", parts);
            put(bar, "value", total.median());
            bar.put("label", measured(Metric.CPU, total));
            tip.add(List.of("system", Numbers.micros(total.median())));
            tip.add(List.of("load generator beside it", Numbers.micros(cpu(cell, Role.GENERATOR))));
            tip.add(List.of("rounds", range(Metric.CPU, total)));
            bar.put("tip", tip);
        });
    }

    Map<String, Object> throughput(List<Workload> workloads) {
        return bars("bars", "rate", workloads, (cell, bar) -> {
            Figure calls = Metric.CALLS.of(cell);
            figure(bar, Metric.CALLS, calls);
            bar.put(
                    "tip",
                    List.of(
                            List.of("calls", Metric.CALLS.text(calls)),
                            List.of("requests", Metric.REQUESTS.text(Metric.REQUESTS.of(cell))),
                            List.of("rounds", range(Metric.CALLS, calls))));
        });
    }

    Map<String, Object> percentiles(Function<Figures, Latency> latencyOf, List<Workload> workloads) {
        return bars("percentiles", "seconds", workloads, (cell, bar) -> {
            Latency latency = latencyOf.apply(cell.median());
            List<@Nullable Object> values = new ArrayList<>();
            List<List<String>> tip = new ArrayList<>();
            if (cell.arrivalRate() != null) {
                tip.add(List.of("arrivals", arrivals(cell)));
            }
            for (Percentile percentile : Percentile.values()) {
                double value = percentile.of(latency);
                values.add(orNull(value > 0 ? value : Double.NaN));
                tip.add(List.of(percentile.title(), Numbers.seconds(value)));
            }
            double p99 = Percentile.P99.of(latency);
            bar.put("percentiles", values);
            bar.put("label", Double.isNaN(p99) ? "not measured" : "p99 " + Numbers.seconds(p99));
            bar.put("tip", tip);
        });
    }

    static String arrivals(Cell cell) {
        return Numbers.rate(Numbers.orNaN(cell.arrivalRate())) + "/s";
    }

    /** Every round, relative to the best median of its workload. */
    Map<String, Object> rounds(Metric metric, List<Workload> workloads) {
        return bars("rounds", "ratio", workloads, (cell, bar) -> {
            List<Ranking.Entry> entries =
                    Ranking.of(run, metric, cell.workload()).entries();
            Figure own = metric.of(cell);
            double best =
                    entries.isEmpty() ? own.median() : entries.get(0).figure().median();
            List<Map<String, Object>> points = new ArrayList<>();
            List<List<String>> tip = new ArrayList<>();
            for (Round round : cell.rounds()) {
                double value = metric.of(round.figures());
                if (value > 0 && best > 0) {
                    points.add(Map.of("value", value / best, "valid", round.valid()));
                }
                tip.add(List.of("round " + round.round(), metric.text(value) + (round.valid() ? "" : ", not valid")));
            }
            bar.put("points", points);
            put(bar, "value", own.median() / best);
            bar.put(
                    "label",
                    points.isEmpty()
                            ? "not measured"
                            : own.rounds().length > 1 ? "±" + Numbers.percent(own.spread() / 2) : "");
            bar.put("tip", tip);
        });
    }

    Map<String, Object> lines(Metric metric, Axis.AxisLine line) {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (String row : run.rows()) {
            List<List<Object>> points = new ArrayList<>();
            for (Workload workload : line.workloads()) {
                run.cell(row, workload)
                        .filter(Cell::valid)
                        .map(metric::of)
                        .filter(Figure::exists)
                        .ifPresent(figure -> points.add(List.of(
                                line.axis().number(workload),
                                figure.median(),
                                figure.min(),
                                figure.max(),
                                metric.text(figure))));
            }
            if (!points.isEmpty()) {
                Map<String, Object> named = named(row);
                named.put("points", points);
                lines.add(named);
            }
            for (Workload level : line.levels()) {
                run.cell(row, level)
                        .filter(Cell::valid)
                        .map(metric::of)
                        .filter(Figure::exists)
                        .ifPresent(figure -> {
                            Map<String, Object> named = named(row);
                            named.put("name", row + " " + line.axis().level(level));
                            named.put("level", true);
                            named.put(
                                    "points",
                                    line.numbers().stream()
                                            .map(x -> List.of(
                                                    x,
                                                    figure.median(),
                                                    figure.median(),
                                                    figure.median(),
                                                    metric.text(figure)))
                                            .toList());
                            lines.add(named);
                        });
            }
        }
        Map<String, Object> chart = new LinkedHashMap<>();
        chart.put("kind", "lines");
        chart.put("unit", unit(metric));
        chart.put("of", line.axis().unit());
        chart.put("xs", line.numbers());
        chart.put("lines", lines);
        return chart;
    }

    /** The bare client beside the service at its best, by row. */
    Map<String, Object> rawLimits(Metric metric) {
        List<Map<String, Object>> bars = new ArrayList<>();
        for (RawLimit limit : run.rawLimits()) {
            bars.add(Map.of("group", limit.row()));
            Map<String, Object> bare = bar(limit.row(), metric, metric.of(limit));
            bare.put("text", "bare client");
            bare.put("faint", true);
            invalid(bare, limit.valid());
            bars.add(bare);
            run.best(limit.row()).ifPresent(cell -> {
                Map<String, Object> service = bar(limit.row(), metric, metric.of(cell));
                service.put("text", "service");
                bars.add(service);
            });
        }
        return chart("bars", unit(metric), bars);
    }

    private static String unit(Metric metric) {
        return metric == Metric.CPU ? "micros" : metric.isLatency() ? "seconds" : "rate";
    }

    private Map<String, Object> bar(String row, Metric metric, Figure figure) {
        Map<String, Object> bar = named(row);
        figure(bar, metric, figure);
        bar.put("tip", List.of(List.of("median", metric.text(figure)), List.of("rounds", range(metric, figure))));
        return bar;
    }

    private static void figure(Map<String, Object> bar, Metric metric, Figure figure) {
        put(bar, "value", figure.median());
        put(bar, "min", figure.min());
        put(bar, "max", figure.max());
        bar.put("label", measured(metric, figure));
    }

    private interface BarFiller {
        void fill(Cell cell, Map<String, Object> bar);
    }

    private Map<String, Object> bars(String kind, String unit, List<Workload> workloads, BarFiller filler) {
        List<Map<String, Object>> bars = new ArrayList<>();
        for (Workload workload : workloads) {
            if (workloads.size() > 1) {
                bars.add(Map.of("group", Axis.load(workload)));
            }
            for (Cell cell : run.cells(List.of(workload))) {
                Map<String, Object> bar = named(cell.row());
                filler.fill(cell, bar);
                invalid(bar, cell.valid());
                bars.add(bar);
            }
        }
        return chart(kind, unit, bars);
    }

    private static void invalid(Map<String, Object> bar, boolean valid) {
        if (!valid) {
            bar.put("invalid", true);
            bar.put("label", "not valid");
        }
    }

    private Map<String, Object> named(String row) {
        Map<String, Object> bar = new LinkedHashMap<>();
        bar.put("name", row);
        bar.put("colour", palette.colour(row));
        bar.put("turn", palette.turn(row));
        return bar;
    }

    private static Map<String, Object> chart(String kind, String unit, List<Map<String, Object>> rows) {
        return Map.of("kind", kind, "unit", unit, "rows", rows);
    }

    private static String measured(Metric metric, Figure figure) {
        return figure.exists() ? metric.text(figure) : "not measured";
    }

    /** JSON has no NaN: what was not measured is left out. */
    static void put(Map<String, Object> bar, String key, double value) {
        if (Double.isFinite(value)) {
            bar.put(key, value);
        }
    }

    private static @Nullable Object orNull(double value) {
        return Double.isFinite(value) ? value : null;
    }

    static String range(Metric metric, Figure figure) {
        return figure.rounds().length < 2
                ? "one"
                : "%s to %s".formatted(metric.text(figure.min()), metric.text(figure.max()));
    }
}
