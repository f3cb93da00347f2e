package dev.chatterbox.report;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Ranking;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The data from which report.jte makes the page of a run. */
record ReportPage(
        MeasuredRun run,
        RunTables tables,
        Charts charts,
        List<Ranking> headline,
        Against against,
        List<String> doubts) {

    /** How many doubts are on the first screen; the others are folded. */
    static final int DOUBTS = 5;

    private static final int HEADLINE_CHARTS = 4;

    static String html(MeasuredRun run) {
        ReportPage report = new ReportPage(
                run,
                new RunTables(run),
                new Charts(),
                run.headlineRankings().stream().limit(HEADLINE_CHARTS).toList(),
                Against.of(run.results(), run.estimator()),
                Findings.doubts(run));
        return Templates.render("report.jte", Map.of("report", report));
    }

    /** The rankings without a chart on the first screen. */
    List<Ranking> others() {
        return run.rankings().stream()
                .filter(ranking -> !headline.contains(ranking))
                .toList();
    }

    List<Ranking> closed() {
        return run.rankings().stream()
                .filter(ranking -> !ranking.workload().isOpen())
                .toList();
    }

    List<Table> queues() {
        return new QueueTables(run).all();
    }

    List<Table> processes() {
        ProcessTables processes = new ProcessTables(run);
        return List.of(processes.processes(), processes.series(), processes.roundTrips());
    }

    List<Charts.Panel> shapes() {
        return charts.lines(run.cells().stream().filter(Cell::valid).toList(), run.estimator());
    }

    /** Which delivery the rows promise, as a sentence without its full stop; empty unless their promises differ. */
    String promises() {
        Set<String> measured = run.results().cells().stream().map(Cell::row).collect(Collectors.toSet());
        Map<String, List<String>> rows = new TreeMap<>(
                        run.results().environment().settings().rows())
                .entrySet().stream()
                        .filter(row -> measured.contains(row.getKey())
                                && !RunTables.setting(row.getValue(), "delivery")
                                        .isEmpty())
                        .collect(Collectors.groupingBy(
                                row -> RunTables.setting(row.getValue(), "delivery"),
                                LinkedHashMap::new,
                                Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
        return rows.size() < 2
                ? ""
                : rows.entrySet().stream()
                        .map(promise -> Numbers.listed(promise.getValue()) + ": " + promise.getKey())
                        .collect(Collectors.joining("; "));
    }
}
