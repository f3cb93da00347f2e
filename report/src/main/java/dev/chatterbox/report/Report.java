package dev.chatterbox.report;

import dev.chatterbox.cli.CliException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The report of one run: a page that a browser opens without any network. */
public final class Report {

    static final String FILE = "report.html";

    private Report() {}

    /**
     * Reads results.json and writes report.html beside it.
     *
     * @throws CliException if results.json is missing or cannot be understood
     */
    public static void write(Path resultsFolder) {
        Results results = Results.read(resultsFolder);
        try {
            Files.writeString(resultsFolder.resolve(FILE), new ReportPage(results).html());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
