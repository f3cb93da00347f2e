package dev.chatterbox.cli;

import dev.chatterbox.report.RunDifference;
import dev.chatterbox.report.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two runs; exit code 2 if one of them cannot be found or read. */
@Command(
        name = "diff",
        description = "Put two runs side by side: ratios of their costs, and what differs in their environments.",
        footer = {
            "",
            "A run is a results folder, its results.json, the name of a folder in",
            ".chatterbox/results or its beginning (with the time or without),",
            "latest or previous.",
            "",
            "  ./chatterbox diff previous latest"
        })
final class Diff implements Callable<Integer> {

    private final Runs runs;
    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "RUN_A", description = "The run to compare with.")
    private String runA = "";

    @Parameters(index = "1", paramLabel = "RUN_B", description = "The run that is judged.")
    private String runB = "";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where the page goes; by default into the folder of RUN_B, as diff-<RUN_A>.html.")
    private @Nullable Path page;

    Diff(Runs runs, Terminal terminal) {
        this.runs = runs;
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Path b = runs.find(runB);
        RunDifference difference = RunDifference.of(runs.find(runA), b);
        Path file = page != null
                ? page
                : Files.isDirectory(b) ? b.resolve(difference.fileName()) : b.resolveSibling(difference.fileName());
        // The lines need no file, so they come first: the page's folder may not be writable.
        difference.lines(file).forEach(terminal::line);
        try {
            Files.writeString(file, difference.html());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ExitCode.OK;
    }
}
