package dev.chatterbox.cli;

import dev.chatterbox.report.RunDifference;
import dev.chatterbox.report.Runs;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
final class Diff extends CheckoutCommand {

    @Parameters(index = "0", paramLabel = "RUN_A", description = "The run to compare with.")
    private String runA = "";

    @Parameters(index = "1", paramLabel = "RUN_B", description = "The run that is judged.")
    private String runB = "";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where the page goes; by default into the folder of RUN_B, as diff-<RUN_A>.html.")
    private @Nullable Path page;

    Diff(Repository repository, Terminal terminal) {
        super(repository, terminal);
    }

    @Override
    public Integer call() throws IOException {
        Runs runs = new Runs(repository.results());
        Path b = runs.find(runB);
        RunDifference difference = RunDifference.of(runs.find(runA), b);
        Path folder = Files.isDirectory(b) ? b : b.resolveSibling("");
        Path file = page != null ? page : folder.resolve(difference.fileName());
        // The lines need no file, so they come first: the page's folder may not be writable.
        difference.lines(file).forEach(terminal::line);
        Files.writeString(file, difference.html());
        return ExitCode.OK;
    }
}
