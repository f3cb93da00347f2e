package dev.chatterbox.report;

import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a comparison found, for people and for spreadsheets. Its estimates are made once. */
public final class Report {

    private final Path folder;
    private final MeasuredRun run;
    private final List<Table> tables;

    /** @param folder for the report; its name shows when the run was made */
    public Report(Path folder, Results results) {
        this.folder = folder;
        run = MeasuredRun.of(folder, results);
        tables = shown(run);
    }

    /** Writes {@code report.html}, {@code results.csv} and {@code summary.md}, each whole or not at all. */
    public void write() throws IOException {
        List<Table> all = Stream.concat(tables.stream(), Stream.of(new RunTables(run).pairs()))
                .toList();
        ResultsFile.replace(
                folder.resolve("results.csv"), TableText.csv(all, run.results().caveats()));
        ResultsFile.replace(folder.resolve("summary.md"), markdown());
        ResultsFile.replace(folder.resolve("report.html"), html());
    }

    /** The page, which needs no other file. */
    public String html() {
        return Templates.render("report.jte", Map.of("run", run));
    }

    /** The report for a terminal, at most 100 columns wide: ratios of two sides, tables, and the headline. */
    public List<String> lines(Emphasis emphasis) {
        List<String> lines = new ArrayList<>();
        tables.forEach(table -> {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(TableText.terminal(table, emphasis));
        });
        Stream.concat(Findings.headline(run).stream(), Findings.doubtsOfAll(run.results()).stream())
                .forEach(sentence -> {
                    lines.add("");
                    TableText.wrapped("", sentence).forEach(line -> lines.add(emphasis.bold(line)));
                });
        return lines;
    }

    private static List<Table> shown(MeasuredRun run) {
        RunTables tables = new RunTables(run);
        List<Table> shown = new ArrayList<>();
        shown.add(Against.of(run.results()).table());
        shown.addAll(tables.rankings());
        shown.addAll(QueueTables.all(run));
        shown.add(tables.bareClients());
        shown.add(new ProcessTables(run).roundTrips());
        shown.removeIf(Table::isEmpty);
        return shown;
    }

    private String markdown() {
        List<String> parts = new ArrayList<>();
        parts.add("## Chatterbox: " + TableText.escaped(run.meta()) + "\n");
        Stream.concat(Findings.headline(run).stream(), Findings.doubts(run).stream())
                .forEach(sentence -> parts.add("- " + TableText.escaped(sentence)));
        parts.add("");
        tables.forEach(table -> parts.add(TableText.markdown(table)));
        return String.join("\n", parts);
    }
}
