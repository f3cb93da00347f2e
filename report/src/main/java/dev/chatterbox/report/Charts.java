package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What charts.js draws: rows of transports in groups, or lines. Numbers come with their words, so that both agree. */
final class Charts {

    /** From what the transport costs to what every transport pays alike. Others that a file names follow. */
    private static final List<String> PROCESSES = List.of("aggregator", "responder", "broker", "generator");

    private static final List<String> PERCENTILES = List.of("p50", "p90", "p95", "p99", "max");

    private final Results results;
    private final Palette palette;

    Charts(Results results, Palette palette) {
        this.results = results;
        this.palette = palette;
    }

    /** Of the services' cells, in the order in which they are stacked. */
    List<String> processes() {
        return results.cells().stream()
                .flatMap(cell -> Json.fields(cell.json(), "/median/cpu").keySet().stream())
                .filter(name -> !name.equals("total"))
                .distinct()
                .sorted(Comparator.comparingInt(Charts::place))
                .toList();
    }

    private static int place(String process) {
        int known = PROCESSES.indexOf(process);
        return known < 0 ? PROCESSES.size() : known;
    }

    Map<String, Object> cpu(List<Load> loads) {
        return rows("stack", "micros", loads, (cell, row) -> {
            List<Object> parts = new ArrayList<>();
            List<List<String>> tip = new ArrayList<>();
            for (String process : processes()) {
                double value = cell.median("/cpu/" + process);
                parts.add(orNull(value));
                if (!Double.isNaN(value)) {
                    tip.add(List.of(process, Format.micros(value)));
                }
            }
            Figure total = cell.figure(Metric.CPU);
            row.put("parts", parts);
            row.put("value", orNull(total.median()));
            row.put("label", measured(Metric.CPU, total));
            tip.add(List.of("total", Format.micros(total.median())));
            tip.add(List.of("rounds", range(Metric.CPU, total)));
            row.put("tip", tip);
        });
    }

    Map<String, Object> bars(Metric metric, List<Load> loads) {
        return rows("bars", "rate", loads, (cell, row) -> {
            Figure figure = cell.figure(metric);
            row.put("value", orNull(figure.median()));
            row.put("min", orNull(figure.min()));
            row.put("max", orNull(figure.max()));
            row.put("label", measured(metric, figure));
            row.put(
                    "tip",
                    List.of(
                            List.of("calls", Format.rate(cell.median("/callsPerSecond")) + "/s"),
                            List.of("requests", Format.rate(cell.median("/requestsPerSecond")) + "/s"),
                            List.of("rounds", range(metric, figure))));
        });
    }

    /** @param latency {@code requestLatency} or {@code callLatency} */
    Map<String, Object> percentiles(String latency, List<Load> loads) {
        return rows("percentiles", "seconds", loads, (cell, row) -> {
            List<Object> values = new ArrayList<>();
            List<List<String>> tip = new ArrayList<>();
            for (String percentile : PERCENTILES) {
                double value = cell.median("/" + latency + "/" + percentile);
                values.add(orNull(value > 0 ? value : Double.NaN));
                tip.add(List.of(percentile, Format.seconds(value)));
            }
            row.put("percentiles", values);
            double p99 = cell.median("/" + latency + "/p99");
            row.put("label", Double.isNaN(p99) ? "not measured" : "p99 " + Format.seconds(p99));
            if (!Double.isNaN(cell.arrivals())) {
                tip.add(0, List.of("arrivals", Format.rate(cell.arrivals()) + "/s"));
            }
            row.put("tip", tip);
        });
    }

    /** Every round, relative to the best median of its load. */
    Map<String, Object> rounds(Metric metric, List<Load> loads) {
        return rows("rounds", "ratio", loads, (cell, row) -> {
            List<Ranking.Entry> entries =
                    Ranking.of(results, metric, cell.load()).entries();
            Figure own = cell.figure(metric);
            double best =
                    entries.isEmpty() ? own.median() : entries.get(0).figure().median();
            List<Map<String, Object>> points = new ArrayList<>();
            List<List<String>> tip = new ArrayList<>();
            for (Round round : cell.rounds()) {
                double value = metric.of(round.json());
                if (value > 0 && best > 0) {
                    points.add(Map.of("value", value / best, "valid", round.valid()));
                }
                tip.add(List.of("round " + round.number(), metric.text(value) + (round.valid() ? "" : ", not valid")));
            }
            row.put("points", points);
            row.put("value", orNull(own.median() / best));
            row.put(
                    "label",
                    points.isEmpty()
                            ? "not measured"
                            : own.rounds().length > 1 ? "±" + Format.percent(own.spread() / 2) : "");
            row.put("tip", tip);
        });
    }

    /** @param xs of the same index as the loads */
    Map<String, Object> lines(Metric metric, List<Load> loads, List<Integer> xs, String unit) {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (String transport : results.transports()) {
            List<List<Object>> points = new ArrayList<>();
            for (int i = 0; i < loads.size(); i++) {
                int x = xs.get(i);
                results.cell(transport, loads.get(i)).filter(Cell::valid).ifPresent(cell -> {
                    Figure figure = cell.figure(metric);
                    if (figure.exists()) {
                        points.add(
                                List.of(x, figure.median(), figure.min(), figure.max(), metric.text(figure.median())));
                    }
                });
            }
            if (!points.isEmpty()) {
                Map<String, Object> line = named(transport);
                line.put("points", points);
                lines.add(line);
            }
        }
        Map<String, Object> chart = new LinkedHashMap<>();
        chart.put("kind", "lines");
        chart.put("unit", metric == Metric.CPU ? "micros" : "rate");
        chart.put("of", unit);
        chart.put("xs", xs);
        chart.put("lines", lines);
        return chart;
    }

    /** The bare client beside the service at its best, by transport. */
    Map<String, Object> rawLimits(Metric metric, Sentences sentences) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (RawLimit raw : results.rawLimits()) {
            rows.add(Map.of("group", raw.transport()));
            Map<String, Object> bare = bar(raw.transport(), metric, raw.figure(metric));
            bare.put("text", "bare client");
            bare.put("faint", true);
            invalid(bare, raw.valid());
            rows.add(bare);
            sentences.best(raw.transport()).ifPresent(cell -> {
                Map<String, Object> service = bar(raw.transport(), metric, cell.figure(metric));
                service.put("text", "service");
                rows.add(service);
            });
        }
        return chart("bars", metric == Metric.CPU ? "micros" : "rate", rows);
    }

    private Map<String, Object> bar(String transport, Metric metric, Figure figure) {
        Map<String, Object> row = named(transport);
        row.put("value", orNull(figure.median()));
        row.put("min", orNull(figure.min()));
        row.put("max", orNull(figure.max()));
        row.put("label", measured(metric, figure));
        row.put(
                "tip",
                List.of(List.of("median", metric.text(figure.median())), List.of("rounds", range(metric, figure))));
        return row;
    }

    private interface Filler {
        void fill(Cell cell, Map<String, Object> row);
    }

    private Map<String, Object> rows(String kind, String unit, List<Load> loads, Filler filler) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Load load : loads) {
            if (loads.size() > 1) {
                rows.add(Map.of("group", load.pressure()));
            }
            for (String transport : results.transports()) {
                results.cell(transport, load).ifPresent(cell -> {
                    Map<String, Object> row = named(transport);
                    filler.fill(cell, row);
                    invalid(row, cell.valid());
                    rows.add(row);
                });
            }
        }
        return chart(kind, unit, rows);
    }

    private static void invalid(Map<String, Object> row, boolean valid) {
        if (!valid) {
            row.put("invalid", true);
            row.put("label", "not valid");
        }
    }

    private Map<String, Object> named(String transport) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", transport);
        row.put("colour", palette.colour(transport));
        row.put("dashed", palette.dashed(transport));
        return row;
    }

    private static Map<String, Object> chart(String kind, String unit, List<Map<String, Object>> rows) {
        return Map.of("kind", kind, "unit", unit, "rows", rows);
    }

    private static String measured(Metric metric, Figure figure) {
        return figure.exists() ? metric.text(figure.median()) : "not measured";
    }

    static String range(Metric metric, Figure figure) {
        return figure.rounds().length < 2
                ? "one"
                : "%s to %s".formatted(metric.text(figure.min()), metric.text(figure.max()));
    }

    static @Nullable Object orNull(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
