package dev.chatterbox.cli;

import dev.chatterbox.report.RunDifference;
import dev.chatterbox.report.Runs;
import dev.chatterbox.stack.Repository;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Compares two runs; exit code 2 if one of them cannot be found or read. */
@Command(
        name = "diff",
        description = "Show two runs side by side: ratios of their costs, and what differs in their environments.",
        footer = {
            "",
            "A run is a results folder, its results.json, the name of a folder in",
            ".chatterbox/results or its beginning (with the time or without; of several",
            "runs the latest is meant), latest or previous.",
            "",
            "  ./chatterbox diff previous latest"
        })
final class Diff extends CheckoutCommand {

    @Parameters(index = "0", paramLabel = "RUN_A", description = "The run to compare with.")
    private String runA = "";

    @Parameters(index = "1", paramLabel = "RUN_B", description = "The run that is judged.")
    private String runB = "";

    Diff(Repository repository, Terminal terminal) {
        super(repository, terminal);
    }

    @Override
    public Integer call() {
        Runs runs = new Runs(repository.results());
        RunDifference.of(runs.find(runA), runs.find(runB)).lines().forEach(terminal::line);
        return ExitCode.OK;
    }
}
