package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Every chart with its sentences and, folded away, its table. */
final class ChartSections {

    private static final String PERCENTILE_KEY = "<ul class=\"key\" aria-label=\"Key\">"
            + "<li><svg class=\"mark\" viewBox=\"0 0 12 12\"><circle cx=\"6\" cy=\"6\" r=\"5\"/></svg>p50</li>"
            + "<li><svg class=\"mark\" viewBox=\"0 0 12 12\"><circle cx=\"6\" cy=\"6\" r=\"2.5\"/></svg>p90, p95</li>"
            + "<li><svg class=\"mark\" viewBox=\"0 0 12 12\"><path d=\"M6 0 12 6 6 12 0 6z\"/></svg>p99</li>"
            + "<li><svg class=\"mark\" viewBox=\"0 0 12 12\"><path d=\"M5 0h2v12H5z\"/></svg>max</li></ul>";

    private final Results results;
    private final Sentences sentences;
    private final Html html;
    private final Charts charts;
    private final Map<String, Object> data = new LinkedHashMap<>();

    ChartSections(Results results, Sentences sentences, Html html, Charts charts) {
        this.results = results;
        this.sentences = sentences;
        this.html = html;
        this.charts = charts;
    }

    Map<String, Object> data() {
        return data;
    }

    void write() {
        List<Load> closed = results.loads(true);
        List<Load> open = results.loads(false);
        List<Load> capacity = closed.isEmpty() ? open : closed;
        if (capacity.isEmpty()) {
            return;
        }
        section("cpu", "CPU per call", "microseconds, user and system, of every process; medians", processKey());
        byCalls(
                "cpu",
                capacity,
                loads -> charts.cpu(loads),
                loads -> sentences.chart(Metric.CPU, loads),
                this::cpuTable);
        end();
        section("throughput", "Throughput", "calls per second; the thin line spans the rounds", "");
        byCalls(
                "throughput",
                capacity,
                loads -> charts.bars(Metric.CALLS, loads),
                loads -> sentences.chart(Metric.CALLS, loads),
                this::throughputTable);
        end();
        if (!closed.isEmpty()) {
            latency(
                    "latency",
                    "Latency of whole requests",
                    "closed model, seen by the users; log scale",
                    "requestLatency",
                    Metric.REQUEST_P99,
                    closed);
            latency(
                    "call-latency",
                    "Latency of single calls",
                    "closed model, seen by the aggregator; log scale",
                    "callLatency",
                    Metric.CALL_P99,
                    closed);
        }
        if (!open.isEmpty()) {
            latency(
                    "open",
                    "Latency at a fixed rate of arrivals",
                    "open model, whole requests, from the intended start, each transport at a share of its own capacity; log scale",
                    "requestLatency",
                    Metric.REQUEST_P99,
                    open);
        }
        crossovers(closed);
        rounds(capacity);
        rawLimits();
    }

    private void latency(String id, String title, String unit, String latency, Metric metric, List<Load> loads) {
        section(id, title, unit, PERCENTILE_KEY);
        byCalls(
                id,
                loads,
                some -> charts.percentiles(latency, some),
                some -> sentences.chart(metric, some),
                some -> latencyTable(latency, some));
        end();
    }

    private void crossovers(List<Load> closed) {
        List<Runnable> overCalls = lines(closed, Load::calls, Load::users, "call", "user");
        List<Runnable> overUsers = lines(closed, Load::users, Load::calls, "user", "call");
        if (overCalls.isEmpty() && overUsers.isEmpty()) {
            return;
        }
        section("crossover", "Where the lines cross", "calls per second; both scales logarithmic", "");
        for (List<Runnable> panels : List.of(overCalls, overUsers)) {
            if (!panels.isEmpty()) {
                panels(panels.size());
                panels.forEach(Runnable::run);
                html.raw("</div>");
            }
        }
        if (overUsers.isEmpty()) {
            html.paragraph("note", "All cells have the same number of users, so there are no lines over users.");
        } else if (overCalls.isEmpty()) {
            html.paragraph("note", "All cells have the same number of calls, so there are no lines over calls.");
        }
        end();
    }

    /** Columns depend on how many there are. */
    private void panels(int count) {
        html.raw("<div class=\"panels n%d\">".formatted(Math.min(count, 5)));
    }

    /** A panel for each value of what is fixed, if the other has at least two. */
    private List<Runnable> lines(
            List<Load> closed, ToIntFunction<Load> over, ToIntFunction<Load> fixed, String unit, String fixedUnit) {
        List<Runnable> panels = new ArrayList<>();
        for (int value : closed.stream().mapToInt(fixed).distinct().sorted().toArray()) {
            List<Load> loads = closed.stream()
                    .filter(load -> fixed.applyAsInt(load) == value)
                    .sorted((a, b) -> Integer.compare(over.applyAsInt(a), over.applyAsInt(b)))
                    .toList();
            List<Integer> xs = loads.stream().map(over::applyAsInt).toList();
            if (xs.size() > 1) {
                String title = "Over %ss%s, %s%s"
                        .formatted(
                                unit,
                                unit.equals("call") ? " a request" : "",
                                Format.counted(value, fixedUnit),
                                fixedUnit.equals("call") ? " a request" : "");
                panels.add(() -> panel(
                        "crossover-%s-%d".formatted(unit, value),
                        title,
                        charts.lines(Metric.CALLS, loads, xs, unit),
                        sentences.crossovers(Metric.CALLS, loads, xs, unit),
                        linesTable(loads, xs, unit)));
            }
        }
        return panels;
    }

    private void rounds(List<Load> loads) {
        section(
                "spread",
                "Spread over rounds",
                "every round a point, relative to the best median of its load; the line is the median; log scale",
                "");
        for (Metric metric : List.of(Metric.CPU, Metric.CALLS)) {
            html.raw("<h3 class=\"sub\">%s</h3>".formatted(Html.text(Sentences.first(metric.title()))));
            byCalls(
                    "spread-" + metric.name().toLowerCase(Locale.ROOT),
                    loads,
                    some -> charts.rounds(metric, some),
                    some -> sentences.spread(metric, some),
                    some -> roundsTable(metric, some));
            sentences.scatter(metric).ifPresent(html::paragraph);
        }
        html.paragraph(
                "note",
                "Two are too close to rank if their medians differ by no more than their two spreads (max − min over the"
                        + " rounds, relative to the median) added, from %d rounds on two thirds of that, or by no more than %s."
                                .formatted(Noise.MANY_ROUNDS, Format.percent(Noise.WITHIN_RUN)));
        end();
    }

    private void rawLimits() {
        section(
                "raw",
                "What the framework costs",
                "the bare client library, pipelined, without Spring, Reactor and HTTP, on the same machine in the same run",
                "");
        if (results.rawLimits().isEmpty()) {
            html.paragraph("The raw limits were not measured in this run.");
        } else {
            panels(2);
            panel("raw-calls", "Calls per second", charts.rawLimits(Metric.CALLS, sentences), "", rawTable());
            panel("raw-cpu", "CPU per call", charts.rawLimits(Metric.CPU, sentences), "", rawTable());
            html.raw("</div>").list(sentences.framework());
            html.paragraph(
                    "note",
                    "The service is shown at its best closed load. Its figures contain the HTTP request from outside, the"
                            + " fan-out, the JSON answer and the load generator, which the bare client does without.");
        }
        end();
    }

    private void section(String id, String title, String unit, String key) {
        html.raw(
                "<section class=\"charts\" aria-labelledby=\"%s\"><header><h2 id=\"%s\">%s <small>%s</small></h2>%s</header>"
                        .formatted(id, id, Html.text(title), Html.text(unit), key));
    }

    private void end() {
        html.raw("</section>");
    }

    private String processKey() {
        StringBuilder key = new StringBuilder("<ul class=\"key\" aria-label=\"Key\">");
        List<String> processes = charts.processes();
        for (int i = 0; i < processes.size(); i++) {
            key.append("<li><i class=\"shade s%d\"></i>%s</li>".formatted(i, Html.text(processes.get(i))));
        }
        return key.append("</ul>").toString();
    }

    /** A panel for each number of calls per request. */
    private void byCalls(
            String id,
            List<Load> loads,
            Function<List<Load>, Map<String, Object>> chart,
            Function<List<Load>, String> sentence,
            Function<List<Load>, Table> table) {
        int[] allCalls =
                loads.stream().mapToInt(Load::calls).distinct().sorted().toArray();
        panels(allCalls.length);
        for (int calls : allCalls) {
            List<Load> some =
                    loads.stream().filter(load -> load.calls() == calls).toList();
            String title = some.get(0).callsText()
                    + (some.size() == 1 ? ", " + some.get(0).pressure() : "");
            panel(id + "-" + calls, title, chart.apply(some), sentence.apply(some), table.apply(some));
        }
        html.raw("</div>");
    }

    private void panel(String id, String title, Map<String, Object> chart, String sentence, Table table) {
        data.put(id, chart);
        html.raw("<figure class=\"panel\"><h3>%s</h3>".formatted(Html.text(title)))
                .raw(
                        "<div class=\"plot\" data-chart=\"%s\" role=\"img\" aria-label=\"Chart, %s. The text and the table below say the same.\"></div>"
                                .formatted(id, Html.text(title)))
                .raw("<figcaption>")
                .paragraph(sentence)
                .raw(table.folded())
                .raw("</figcaption></figure>");
    }

    private interface Columns {
        List<String> of(Cell cell);
    }

    private Table table(String caption, List<Load> loads, List<String> columns, Columns values) {
        List<String> header = new ArrayList<>(List.of("transport", "load"));
        header.addAll(columns);
        Table table = new Table(caption, header).words(1);
        for (Load load : loads) {
            for (String transport : results.transports()) {
                results.cell(transport, load).ifPresent(cell -> {
                    List<String> row = new ArrayList<>(List.of(
                            html.name(transport),
                            Html.text(load.pressure()) + (cell.valid() ? "" : "<br><b>not valid</b>")));
                    values.of(cell).forEach(value -> row.add(Html.text(value)));
                    table.row(cell.valid() ? "" : "bad", row);
                });
            }
        }
        return table;
    }

    private Table cpuTable(List<Load> loads) {
        List<String> columns = new ArrayList<>(charts.processes());
        columns.add("total");
        columns.add("spread");
        return table("CPU per call by process", loads, columns, cell -> {
            List<String> values = new ArrayList<>();
            charts.processes().forEach(process -> values.add(Format.micros(cell.median("/cpu/" + process))));
            values.add(Format.micros(cell.figure(Metric.CPU).median()));
            values.add(Format.percent(cell.figure(Metric.CPU).spread()));
            return values;
        });
    }

    private Table throughputTable(List<Load> loads) {
        return table(
                "Throughput",
                loads,
                List.of("calls/s", "requests/s", "spread"),
                cell -> List.of(
                        Format.rate(cell.median("/callsPerSecond")),
                        Format.rate(cell.median("/requestsPerSecond")),
                        Format.percent(cell.figure(Metric.CALLS).spread())));
    }

    private Table latencyTable(String latency, List<Load> loads) {
        boolean open = loads.stream().noneMatch(Load::closed);
        List<String> columns = new ArrayList<>(open ? List.of("arrivals") : List.of());
        columns.addAll(List.of("p50", "p90", "p95", "p99", "max"));
        return table("Latency", loads, columns, cell -> {
            List<String> values = new ArrayList<>(open ? List.of(Format.rate(cell.arrivals()) + "/s") : List.of());
            for (String percentile : List.of("p50", "p90", "p95", "p99", "max")) {
                values.add(Format.seconds(cell.median("/" + latency + "/" + percentile)));
            }
            return values;
        });
    }

    private Table roundsTable(Metric metric, List<Load> loads) {
        int rounds = results.cells().stream()
                .mapToInt(cell -> cell.rounds().size())
                .max()
                .orElse(0);
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= rounds; i++) {
            columns.add("round " + i);
        }
        return table(metric.title() + " in every round", loads, columns, cell -> {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                Round round = i < cell.rounds().size() ? cell.rounds().get(i) : null;
                values.add(
                        round == null
                                ? Format.NONE
                                : metric.text(metric.of(round.json())) + (round.valid() ? "" : " (not valid)"));
            }
            return values;
        });
    }

    private Table linesTable(List<Load> loads, List<Integer> xs, String unit) {
        List<String> header = new ArrayList<>(List.of("transport"));
        xs.forEach(x -> header.add(Format.counted(x, unit)));
        Table table = new Table("Calls per second", header);
        for (String transport : results.transports()) {
            List<String> row = new ArrayList<>(List.of(html.name(transport)));
            for (Load load : loads) {
                row.add(Html.text(results.cell(transport, load)
                        .map(cell -> cell.valid()
                                ? Metric.CALLS.text(cell.figure(Metric.CALLS).median())
                                : "not valid")
                        .orElse(Format.NONE)));
            }
            table.row(row);
        }
        return table;
    }

    private Table rawTable() {
        Table table =
                new Table("Raw limits", "transport", "who", "calls/s", "CPU per call", "spread of calls/s").words(1);
        for (RawLimit raw : results.rawLimits()) {
            table.row(
                    raw.valid() ? "" : "bad",
                    rawRow(
                            raw.transport(),
                            raw.valid() ? "bare client" : "bare client, not valid: " + Format.list(raw.reasons()),
                            raw.figure(Metric.CALLS),
                            raw.figure(Metric.CPU)));
            sentences
                    .best(raw.transport())
                    .ifPresent(cell -> table.row(rawRow(
                            raw.transport(),
                            "service, " + cell.load().brief(),
                            cell.figure(Metric.CALLS),
                            cell.figure(Metric.CPU))));
        }
        return table;
    }

    private List<String> rawRow(String transport, String who, Figure calls, Figure cpu) {
        return List.of(
                html.name(transport),
                Html.text(who),
                Html.text(Format.rate(calls.median())),
                Html.text(Format.micros(cpu.median())),
                Html.text(Format.percent(calls.spread())));
    }
}
