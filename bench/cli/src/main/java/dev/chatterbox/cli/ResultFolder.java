package dev.chatterbox.cli;

import dev.chatterbox.report.Report;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a comparison's results and their report go, and what the terminal shows of them.
 *
 * @param path absolute
 */
record ResultFolder(Path path, Terminal terminal) {

    /** @throws UsageException it is no folder, or it holds results */
    static void requireNew(Path path, String name) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new UsageException("--out %s is not a folder.".formatted(path));
        }
        if (Files.exists(path.resolve(name))) {
            throw new UsageException("%s holds results already; rename it, or choose another folder.".formatted(path));
        }
    }

    /**
     * Shows what was measured until now, and makes its report.
     *
     * @param write writes the results, unless they are there already; what it throws comes after they were shown
     */
    void show(Results results, Runnable write) throws IOException {
        if (results.measuredNothing()) {
            terminal.line("Nothing was measured.");
            return;
        }
        terminal.line("");
        Report report = new Report(path, results);
        report.lines(terminal).forEach(terminal::line);
        terminal.line("");
        write.run();
        report.write();
        terminal.line("Report: " + path.resolve("report.html"));
        terminal.line("Also there: %sresults.csv, summary.md"
                .formatted(Files.exists(path.resolve(ResultsFile.NAME)) ? "results.json, " : ""));
    }
}
