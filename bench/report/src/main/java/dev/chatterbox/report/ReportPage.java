package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment.RowSettings;
import dev.chatterbox.results.Ranking;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The page of a run. */
final class ReportPage {

    /** So many doubts stand on the first screen; the others are folded. */
    private static final int DOUBTS = 5;

    private static final int HEADLINE_CHARTS = 4;

    private final MeasuredRun run;
    private final RunTables tables;
    private final Charts charts = new Charts();

    private ReportPage(MeasuredRun run) {
        this.run = run;
        this.tables = new RunTables(run);
    }

    static String html(MeasuredRun run) {
        ReportPage page = new ReportPage(run);
        return Templates.render(page.page(), page.charts);
    }

    private Page page() {
        Against against = Against.of(run.results(), run.estimator());
        List<String> doubts = Findings.doubts(run);
        List<Ranking> headline =
                run.headlineRankings().stream().limit(HEADLINE_CHARTS).toList();
        return new Page(
                run.palette(),
                "%s, %s".formatted(run.results().name(), run.started()),
                "What does a backend call cost?",
                run.meta(),
                run.hasSides() ? "This stack against the base" : "The answer",
                run.hasSides() ? sentences(against) : Findings.headline(run),
                run.hasSides()
                        ? List.of(charts.ratios(
                                "CPU a call, this ÷ base",
                                against.ratios().stream()
                                        .map(ratio -> Charts.Bar.ratio(
                                                ratio.row(),
                                                Axis.text(ratio.workload()),
                                                ratio.cpu().value(),
                                                ratio.cpu().from(),
                                                ratio.cpu().to()))
                                        .toList()))
                        : headline.stream().map(charts::cpu).toList(),
                run.hasSides() ? List.of(against.table()) : List.of(),
                doubts.stream().limit(DOUBTS).toList(),
                sections(headline, doubts.stream().skip(DOUBTS).toList()),
                PredictionSection.of(run.results()).orElse(null),
                Page.GatlingPage.of(run.results().gatlingReports()));
    }

    private static List<String> sentences(Against against) {
        return against.ratios().stream()
                .map(ratio -> "%s, %s: %s.".formatted(ratio.row(), Axis.text(ratio.workload()), ratio.verdict()))
                .toList();
    }

    private List<Page.Section> sections(List<Ranking> headline, List<String> doubts) {
        List<Ranking> others = run.rankings().stream()
                .filter(ranking -> !headline.contains(ranking))
                .toList();
        List<Cell> cells = run.rankings().stream()
                .flatMap(ranking -> ranking.places().stream())
                .map(Ranking.Place::cell)
                .filter(Cell::valid)
                .toList();
        return Stream.of(
                        new Page.Section("More doubts", Page.Key.NONE, List.of(), List.of(), doubts),
                        new Page.Section(
                                "Rankings, workload by workload",
                                Page.Key.NONE,
                                List.of(),
                                tables.rankings(),
                                List.of(
                                        "CPU-µs is the user and system time of aggregator, responder and broker a right call; the generator's is in no"
                                                + " sum. Price is what a row costs above memory, the same request without a transport. Ratio is to the cheapest"
                                                + " ranked row. A rank is 1 + the number of rows that are cheaper beyond doubt (99 %) and by more than 5 %.")),
                        charts(
                                "CPU a call under the other workloads",
                                Page.Key.PROCESSES,
                                others.stream().map(charts::cpu).toList()),
                        charts("The shape over load", Page.Key.NONE, charts.lines(cells, run.estimator())),
                        charts(
                                "Requests a second",
                                Page.Key.NONE,
                                run.rankings().stream()
                                        .filter(ranking -> !ranking.workload().isOpen())
                                        .map(charts::throughput)
                                        .toList()),
                        charts(
                                "Latency of requests",
                                Page.Key.PERCENTILES,
                                run.rankings().stream()
                                        .map(charts::latency)
                                        .flatMap(Optional::stream)
                                        .toList()),
                        Page.Section.of("Bare clients", List.of(tables.bareClients())),
                        Page.Section.of("What tuning is worth", List.of(tables.tuning())),
                        new Page.Section("What the numbers do not say", Page.Key.NONE, List.of(), List.of(), limits()),
                        Page.Section.of("Processes and counts", List.of(tables.processes(), tables.roundTrips())),
                        Page.Section.of(
                                "Environment: " + run.results().command(),
                                List.of(tables.settings(), tables.environment())),
                        new Page.Section(
                                "Every figure",
                                Page.Key.NONE,
                                List.of(),
                                List.of(tables.everyFigure()),
                                List.of("For programs: results.json and results.csv; to paste: summary.md.")))
                .filter(section -> !section.isEmpty())
                .toList();
    }

    private static Page.Section charts(String title, Page.Key key, List<Charts.Panel> panels) {
        return new Page.Section(title, key, panels, List.of(), List.of());
    }

    private List<String> limits() {
        List<String> limits = new ArrayList<>();
        limits.add(
                run.results().roundTrips().isEmpty()
                        ? "Everything ran on one machine, over loopback: there is no network latency, which favours many small calls, and a"
                                + " real network would add the same to every transport or more to some."
                        : "The distance between the processes is a delay that a proxy on the same machine puts in, always the same: it does"
                                + " not vary, nothing is lost, and there is room for everything at once. A message through a broker passes the"
                                + " proxy twice, to the broker and from there.");
        limits.add(
                "Load generator, services and brokers shared the processors: throughput says how cheap a call is altogether more than how"
                        + " fast a transport could be alone. Absolute figures do not travel to another machine, and ratios only with their"
                        + " intervals.");
        limits.add(
                "A square costs nothing to compute, and the messages are small: with real work and real payloads the differences between"
                        + " transports shrink.");
        delivery().ifPresent(limits::add);
        if (run.rankings().stream().anyMatch(ranking -> !ranking.workload().isOpen())) {
            limits.add(
                    "In the closed model each user waits for the answer before the next request, so its latency is users divided by"
                            + " throughput (Little's law): that of a system with all of its users waiting, not what a user feels at an ordinary"
                            + " load.");
        }
        return limits;
    }

    /** Empty unless the rows promise different things. */
    private Optional<String> delivery() {
        Map<String, List<String>> byPromise = new LinkedHashMap<>();
        Map<String, RowSettings> settings =
                run.results().environment().settings().rows();
        run.results().cells().stream().map(Cell::row).distinct().sorted().forEach(row -> {
            RowSettings own = settings.get(row);
            Object promise = own == null ? null : own.settings().get("delivery");
            if (promise != null) {
                byPromise
                        .computeIfAbsent(promise.toString(), none -> new ArrayList<>())
                        .add(row);
            }
        });
        return byPromise.size() < 2
                ? Optional.empty()
                : Optional.of("The rows do not promise the same. %s. Who promises less has less to do."
                        .formatted(String.join(
                                "; ",
                                byPromise.entrySet().stream()
                                        .map(entry -> Numbers.listed(entry.getValue()) + ": " + entry.getKey())
                                        .toList())));
    }
}
