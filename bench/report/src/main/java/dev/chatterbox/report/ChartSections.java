package dev.chatterbox.report;

import dev.chatterbox.report.ChartSection.KeyEntry;
import dev.chatterbox.report.ChartSection.Panel;
import dev.chatterbox.report.ChartSection.PanelGroup;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Which charts a report has, with the sentences and the table of each. */
final class ChartSections {

    private static final List<KeyEntry> PERCENTILES = List.of(
            new KeyEntry("mark p50", "p50"),
            new KeyEntry("mark p90", "p90, p95"),
            new KeyEntry("mark p99", "p99"),
            new KeyEntry("mark p999", "p99.9"),
            new KeyEntry("mark max", "max"));

    /** What the system does for a call that the bare client does not. */
    static final String BESIDE =
            "a deadline for each call, admission and fair waiting, metrics, the check of every reply, cancellation, HTTP and JSON towards"
                    + " the user, Spring and Reactor";

    private final MeasuredRun run;
    private final ChartSentences sentences;
    private final ChartData data;
    private final ChartTables tables;

    ChartSections(MeasuredRun run, Palette palette) {
        this.run = run;
        this.sentences = new ChartSentences(run);
        this.data = new ChartData(run, palette);
        this.tables = new ChartTables(run, data.roles());
    }

    List<ChartSection> all() {
        List<Workload> closed = run.closed();
        List<Workload> open = run.open();
        List<Workload> capacity = closed.isEmpty() ? open : closed;
        List<ChartSection> sections = new ArrayList<>();
        if (capacity.isEmpty()) {
            return sections;
        }
        sections.add(section(
                "cpu",
                "CPU per call",
                "microseconds, user and system, of aggregator, responder and broker, for each square; medians. The load generator is in the table",
                roles(),
                byShape("cpu", capacity, data::cpu, some -> sentences.chart(Metric.CPU, some), tables::cpu)));
        sections.add(section(
                "throughput",
                "Throughput",
                "calls per second; the thin line spans the rounds",
                List.of(),
                byShape(
                        "throughput",
                        capacity,
                        data::throughput,
                        some -> sentences.chart(Metric.CALLS, some),
                        tables::throughput)));
        if (!closed.isEmpty()) {
            sections.add(latency(
                    "latency",
                    "Latency of whole requests",
                    "closed model, seen by the users; log scale",
                    Figures::requestLatency,
                    Metric.REQUEST_P99,
                    closed));
            sections.add(latency(
                    "call-latency",
                    "Latency of single calls",
                    "closed model, seen by the aggregator: of a batch, how long its message took; log scale",
                    Figures::callLatency,
                    Metric.CALL_P99,
                    closed));
        }
        List<Workload> alike = open.stream()
                .filter(workload -> !(workload.load() instanceof Load.Share))
                .toList();
        if (!alike.isEmpty()) {
            sections.add(latency(
                    "open",
                    "Latency at the same rate of arrivals",
                    "open model, whole requests, from the intended start, all rows at the same requests per second; log scale",
                    Figures::requestLatency,
                    Metric.REQUEST_P99,
                    alike));
        }
        List<Workload> shares =
                open.stream().filter(workload -> !alike.contains(workload)).toList();
        if (!shares.isEmpty()) {
            ChartSection section = latency(
                    "open-share",
                    "Latency at a share of the row's own capacity",
                    "open model, whole requests, from the intended start; each row has a rate of its own, so nothing is ranked; log scale",
                    Figures::requestLatency,
                    Metric.REQUEST_P99,
                    shares);
            List<Sentence> capacities = sentences.capacities(shares);
            sections.add(new ChartSection(
                    section.id(),
                    section.title(),
                    section.unit(),
                    section.key(),
                    section.groups(),
                    capacities,
                    capacities.isEmpty()
                            ? ""
                            : "The capacity is the median of the row's best cell of the closed model in this run."));
        }
        crossovers(closed).ifPresent(sections::add);
        sections.add(spread(capacity));
        sections.add(rawLimits());
        return sections;
    }

    private static ChartSection section(String id, String title, String unit, List<KeyEntry> key, PanelGroup group) {
        return new ChartSection(id, title, unit, key, List.of(group), List.of(), "");
    }

    private List<KeyEntry> roles() {
        List<String> roles = data.roles();
        return IntStream.range(0, roles.size())
                .mapToObj(i -> new KeyEntry("shade s" + i, roles.get(i)))
                .toList();
    }

    private ChartSection latency(
            String id,
            String title,
            String unit,
            Function<Figures, Latency> latencyOf,
            Metric metric,
            List<Workload> workloads) {
        return section(
                id,
                title,
                unit,
                PERCENTILES,
                byShape(
                        id,
                        workloads,
                        some -> data.percentiles(latencyOf, some),
                        some -> sentences.chart(metric, some),
                        some -> tables.latency(latencyOf, some)));
    }

    /** A panel for each shape of workloads, with all of its loads. */
    private static PanelGroup byShape(
            String id,
            List<Workload> workloads,
            Function<List<Workload>, Map<String, Object>> chart,
            Function<List<Workload>, Sentence> sentence,
            Function<List<Workload>, Table> table) {
        List<Panel> panels = new ArrayList<>();
        for (List<Workload> some : Axis.byShape(workloads)) {
            Workload first = some.get(0);
            String title = Axis.shape(first) + (some.size() == 1 ? ", " + Axis.load(first) : "");
            panels.add(panel(
                    id + "-" + (panels.size() + 1), title, sentence.apply(some), table.apply(some), chart.apply(some)));
        }
        return new PanelGroup("", panels, List.of());
    }

    private static Panel panel(String id, String title, Sentence sentence, Table table, Map<String, Object> chart) {
        return new Panel(
                id,
                Sentence.text(title),
                "Chart, %s. The text and the table below say the same.".formatted(title),
                sentence,
                table,
                chart);
    }

    private Optional<ChartSection> crossovers(List<Workload> closed) {
        List<PanelGroup> groups = new ArrayList<>();
        List<String> without = new ArrayList<>();
        for (Axis axis : Axis.values()) {
            List<Panel> panels = new ArrayList<>();
            for (Axis.AxisLine line : axis.lines(closed)) {
                for (Metric metric : axis.metrics()) {
                    panels.add(panel(
                            "crossover-%s-%d".formatted(axis.column(), panels.size() + 1),
                            Sentence.capital(metric.title()) + " over " + line.title(),
                            switch (axis) {
                                case SIZE -> new BatchSentences(run, line).all();
                                case DISTANCE -> new DistanceSentences(run, line).all();
                                default -> sentences.crossovers(metric, line);
                            },
                            tables.line(metric, line),
                            data.lines(metric, line)));
                }
            }
            if (!panels.isEmpty()) {
                groups.add(new PanelGroup("", panels, List.of()));
            } else if (closed.stream().allMatch(workload -> axis.number(workload) > 0)) {
                without.add(axis.title());
            }
        }
        if (groups.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ChartSection(
                "crossover",
                "Where the lines cross",
                "medians; both scales logarithmic",
                List.of(),
                groups,
                List.of(),
                without.isEmpty()
                        ? ""
                        : "There are no lines over %s, for no two cells differ in these alone."
                                .formatted(Sentence.words(without))));
    }

    private ChartSection spread(List<Workload> workloads) {
        List<PanelGroup> groups = new ArrayList<>();
        for (Metric metric : List.of(Metric.CPU, Metric.CALLS)) {
            PanelGroup group = byShape(
                    "spread-" + metric.name().toLowerCase(Locale.ROOT),
                    workloads,
                    some -> data.rounds(metric, some),
                    some -> sentences.spread(metric, some),
                    some -> tables.rounds(metric, some));
            groups.add(new PanelGroup(
                    Sentence.capital(metric.title()),
                    group.panels(),
                    sentences.scatter(metric).stream().toList()));
        }
        return new ChartSection(
                "spread",
                "Spread over rounds",
                "every round a point, relative to the best median of its workload; the line is the median; log scale",
                List.of(),
                groups,
                List.of(),
                ("Two are too close to rank if a rank-sum test of their rounds gives the difference a chance of %s or more, or if"
                                + " their medians differ by no more than %s.")
                        .formatted(Numbers.percent(Noise.LEVEL), Numbers.percent(Noise.WITHIN_RUN)));
    }

    private ChartSection rawLimits() {
        boolean measured = !run.rawLimits().isEmpty();
        List<Panel> panels = List.of(
                panel("raw-calls", "Calls per second", Sentence.EMPTY, tables.raw(), data.rawLimits(Metric.CALLS)),
                panel("raw-cpu", "CPU per call", Sentence.EMPTY, tables.raw(), data.rawLimits(Metric.CPU)));
        return new ChartSection(
                "raw",
                "What the framework costs",
                "the bare client library, pipelined, on the same machine in the same run. The service does beside: "
                        + BESIDE,
                List.of(),
                measured
                        ? List.of(new PanelGroup("", panels, List.of()))
                        : List.of(new PanelGroup(
                                "",
                                List.of(),
                                List.of(Sentence.text("The raw limits were not measured in this run.")))),
                sentences.framework(),
                measured ? "The service is shown at its best closed load, without the load generator." : "");
    }
}
