package dev.chatterbox.report;

import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a comparison found, for people and for spreadsheets. */
public final class Report {

    private Report() {}

    /**
     * Reads {@code results.json} and writes {@code report.html}, {@code results.csv}, {@code summary.md} and
     * {@code junit.xml} beside it, each whole or not at all.
     *
     * @param failAbove the part by which a row may be dearer than the base: 0.05 is 5 %
     * @throws ResultsException results.json is missing or cannot be understood
     */
    public static void write(Path folder, double failAbove) {
        MeasuredRun run = MeasuredRun.read(folder);
        List<Table> tables = shown(run);
        whole(folder.resolve("results.csv"), TableText.csv(tables));
        whole(folder.resolve("summary.md"), markdown(run, tables));
        whole(folder.resolve("junit.xml"), JUnitXml.of(run, failAbove));
        whole(folder.resolve("report.html"), Templates.render("report.jte", Map.of("run", run)));
    }

    /** The report for a terminal, at most 100 columns wide: ratios of two sides, tables, and the headline. */
    public static List<String> lines(Results results, Emphasis emphasis) {
        MeasuredRun run = MeasuredRun.of("", results);
        List<String> lines = new ArrayList<>();
        shown(run).forEach(table -> {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(TableText.terminal(table, emphasis));
        });
        Stream.concat(
                        Findings.headline(run).stream(),
                        results.interrupted() ? Stream.of(Findings.UNFINISHED) : Stream.empty())
                .forEach(sentence -> {
                    lines.add("");
                    TableText.wrapped("", sentence).forEach(line -> lines.add(emphasis.bold(line)));
                });
        return lines;
    }

    private static List<Table> shown(MeasuredRun run) {
        RunTables tables = new RunTables(run);
        List<Table> shown = new ArrayList<>();
        shown.add(Against.of(run.results(), run.estimator()).table());
        shown.addAll(tables.rankings());
        shown.addAll(new QueueTables(run).all());
        shown.add(tables.bareClients());
        shown.add(new ProcessTables(run).roundTrips());
        shown.removeIf(Table::isEmpty);
        return shown;
    }

    private static String markdown(MeasuredRun run, List<Table> tables) {
        List<String> parts = new ArrayList<>();
        parts.add("## Chatterbox: " + TableText.escaped(run.meta()) + "\n");
        Stream.concat(Findings.headline(run).stream(), Findings.doubts(run).stream())
                .forEach(sentence -> parts.add("- " + TableText.escaped(sentence)));
        parts.add("");
        tables.forEach(table -> parts.add(TableText.markdown(table)));
        return String.join("\n", parts);
    }

    /** Writes a file whole or not at all: after a full disk, half of a file would look like a result. */
    private static void whole(Path file, String text) {
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        try {
            try {
                Files.writeString(unfinished, text);
                Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
