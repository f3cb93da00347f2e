package dev.chatterbox.cli;

import dev.chatterbox.report.Runs;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes the report of results that are there: a run that was killed left none, and another version makes another. */
@Command(
        name = "report",
        description = "Make the report of a run from its results.json, even if the run was killed.",
        footer = {"", "  ./chatterbox report latest"})
final class ReportCommand extends CheckoutCommand {

    @Parameters(index = "0", paramLabel = "RUN", description = "A folder with results, or a name: see diff --help.")
    private String run = "";

    ReportCommand(Repository repository, Terminal terminal) {
        super(repository, terminal);
    }

    @Override
    public Integer call() throws IOException {
        Path folder = new Runs(repository.results()).find(run).toAbsolutePath().normalize();
        if (!Files.isDirectory(folder)) {
            throw new ResultsException(
                    "%s is no folder, and the report goes into the folder of its results.".formatted(folder));
        }
        new ResultFolder(folder, terminal).show(ResultsFile.read(folder));
        return ExitCode.OK;
    }
}
