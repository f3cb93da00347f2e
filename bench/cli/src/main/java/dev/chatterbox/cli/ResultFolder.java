package dev.chatterbox.cli;

import dev.chatterbox.comparison.Comparison;
import dev.chatterbox.comparison.ComparisonException;
import dev.chatterbox.report.Report;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.stream.Stream;

/** Where a comparison's results and their report go, and what the terminal shows of them. */
final class ResultFolder {

    private final Path path;
    private final Terminal terminal;
    private final Map<String, String> environment;

    private boolean created;

    private ResultFolder(Path path, Terminal terminal, Map<String, String> environment) {
        this.path = path;
        this.terminal = terminal;
        this.environment = environment;
    }

    /**
     * A folder for new results.
     *
     * @throws UsageException it is no folder, or it holds results
     */
    static ResultFolder of(Path path, Terminal terminal, Map<String, String> environment) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new UsageException("--out %s is not a folder.".formatted(path));
        }
        if (Files.exists(path.resolve(ResultsFile.NAME))) {
            throw new UsageException("%s holds results already; choose another folder.".formatted(path));
        }
        return new ResultFolder(path, terminal, environment);
    }

    /** A folder that holds results. */
    static ResultFolder existing(Path path, Terminal terminal, Map<String, String> environment) {
        return new ResultFolder(path, terminal, environment);
    }

    Path path() {
        return path;
    }

    /** @throws UsageException it cannot be made */
    void create() {
        created = !Files.isDirectory(path);
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new UsageException("%s cannot be written: %s".formatted(path, e.getMessage()));
        }
    }

    /** Takes away what {@link #create()} has made if nothing was written to it. */
    void deleteIfEmpty() throws IOException {
        if (!created || !Files.isDirectory(path)) {
            return;
        }
        try (Stream<Path> files = Files.list(path)) {
            if (files.findAny().isPresent()) {
                return;
            }
        }
        Files.delete(path);
    }

    private void table(Results results) {
        terminal.line("");
        Report.lines(results, terminal).forEach(terminal::line);
        terminal.line("");
    }

    /**
     * Writes what a comparison has measured until now, shows it, and makes its report.
     *
     * @param failAbove above this part a row is marked as dearer than its base
     * @throws ComparisonException the results cannot be written, and were only shown
     */
    Results show(Comparison comparison, double failAbove) throws IOException {
        try {
            Results results = comparison.write();
            show(results, failAbove);
            return results;
        } catch (ComparisonException e) {
            e.unwritten().ifPresent(this::table);
            throw e;
        }
    }

    /**
     * Shows the results that are here, and makes their report.
     *
     * @param failAbove above this part a row is marked as dearer than its base
     */
    void show(Results results, double failAbove) throws IOException {
        if (results.measuredNothing()) {
            terminal.line("Nothing was measured.");
            return;
        }
        table(results);
        Report.write(path, failAbove);
        String stepSummary = environment.getOrDefault("GITHUB_STEP_SUMMARY", "");
        if (!stepSummary.isEmpty()) {
            Files.writeString(
                    Path.of(stepSummary),
                    Files.readString(path.resolve("summary.md")),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
        terminal.line("Report: " + path.resolve("report.html"));
        terminal.line("Also there: results.json, results.csv, summary.md, junit.xml");
    }
}
