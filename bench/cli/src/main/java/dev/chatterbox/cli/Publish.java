package dev.chatterbox.cli;

import dev.chatterbox.report.PublishedTables;
import dev.chatterbox.report.Report;
import dev.chatterbox.report.Runs;
import dev.chatterbox.report.Site;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts results into the repository, and makes the tables and charts of README and docs from what is there. */
@Command(
        name = "publish",
        description = "Make the tables and charts of README, docs and the site from the results in docs/results.",
        footer = {
            "",
            "With RUN, its results go to docs/results/NAME.json.gz first, unless the run did",
            "not finish, is not valid, or had uncommitted changes.",
            "",
            "  ./chatterbox publish latest --as headline"
        })
final class Publish extends CheckoutCommand {

    private static final String HEADLINE = "headline";
    private static final String COMPRESSED = ".json.gz";

    @Parameters(index = "0", arity = "0..1", paramLabel = "RUN", description = "A run: latest, or see diff --help.")
    private @Nullable String run;

    @Option(names = "--as", paramLabel = "NAME", description = "The name of the results in docs/results.")
    private String name = HEADLINE;

    Publish(Repository repository, Terminal terminal) {
        super(repository, terminal);
    }

    private static Results publishable(Path run) {
        Results results = ResultsFile.read(run);
        List<String> flaws = results.flaws();
        if (!flaws.isEmpty()) {
            throw new ResultsException("%s is not published: %s. To measure again, in a checkout without changes: %s"
                    .formatted(run, String.join("; ", flaws), results.command()));
        }
        return results;
    }

    /** All that it makes, as the results say now. */
    static Map<Path, String> files(Repository repository) throws IOException {
        Path root = repository.root();
        Map<Path, String> files = new PublishedTables(root).files();
        Path folder = root.resolve(PublishedTables.FOLDER);
        files.put(folder.resolve("site.json"), Site.json(root, repository.variants()));
        Path sample = folder.resolve(HEADLINE + COMPRESSED);
        if (Files.exists(sample)) {
            files.put(folder.resolve("report.html"), new Report(Path.of(HEADLINE), ResultsFile.read(sample)).html());
        }
        return files;
    }

    @Override
    public Integer call() throws IOException {
        Path root = repository.root();
        if (run != null) {
            Path file = root.resolve(PublishedTables.FOLDER).resolve(name + COMPRESSED);
            byte[] results = ResultsFile.compressed(publishable(new Runs(repository.results()).find(run)));
            Files.createDirectories(file.getParent());
            Files.write(file, results);
            terminal.line("%s: %,d bytes".formatted(root.relativize(file), results.length));
        }
        for (Map.Entry<Path, String> file : files(repository).entrySet()) {
            Path path = file.getKey();
            if (!Files.exists(path) || !Files.readString(path).equals(file.getValue())) {
                Files.writeString(path, file.getValue());
                terminal.line(root.relativize(path) + ": made again");
            }
        }
        return ExitCode.OK;
    }
}
