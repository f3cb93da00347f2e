package dev.chatterbox.report;

import dev.chatterbox.results.ResultsException;
import java.nio.file.Path;

/** What a comparison found, for people and for spreadsheets. */
public final class Report {

    private Report() {}

    /**
     * Reads {@code results.json} and writes {@code report.html}, {@code results.csv} and {@code summary.md} beside it,
     * each whole or not at all.
     *
     * @throws ResultsException results.json is missing or cannot be understood
     */
    public static void write(Path folder) {
        MeasuredRun run = MeasuredRun.read(folder);
        WholeFile.write(folder.resolve("results.csv"), Csv.of(run.results()));
        WholeFile.write(folder.resolve("summary.md"), Markdown.of(run));
        WholeFile.write(folder.resolve("report.html"), Templates.render(ReportPage.of(run)));
    }
}
