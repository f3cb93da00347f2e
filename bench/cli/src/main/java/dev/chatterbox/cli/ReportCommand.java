package dev.chatterbox.cli;

import dev.chatterbox.report.Runs;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes the report of results: a run that was killed left none, and published results have none in their folder. */
@Command(
        name = "report",
        description = "Make the report of a run from its results.json, even if the run was killed.",
        footer = {
            "",
            "The report of a published file goes to .chatterbox/results/NAME.",
            "",
            "  ./chatterbox report latest",
            "  ./chatterbox report docs/results/headline.json.gz"
        })
final class ReportCommand extends CheckoutCommand {

    @Parameters(
            index = "0",
            paramLabel = "RUN",
            description = "A folder or a file with results, or a name: see diff --help.")
    private String run = "";

    ReportCommand(Repository repository, Terminal terminal) {
        super(repository, terminal);
    }

    @Override
    public Integer call() throws IOException {
        Path place = new Runs(repository.results()).find(run).toAbsolutePath().normalize();
        Results results = ResultsFile.read(place);
        new ResultFolder(folder(place), terminal).show(results, () -> {});
        return ExitCode.OK;
    }

    private Path folder(Path place) throws IOException {
        if (Files.isDirectory(place) || place.endsWith(ResultsFile.NAME)) {
            return Files.isDirectory(place) ? place : place.resolveSibling("");
        }
        String name = place.toFile().getName().replaceFirst("\\.json(\\.gz)?$", "");
        Path folder = repository.results().resolve(name);
        ResultFolder.requireNew(folder, ResultsFile.NAME);
        return Files.createDirectories(folder);
    }
}
