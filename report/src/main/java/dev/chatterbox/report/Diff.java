package dev.chatterbox.report;

import dev.chatterbox.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two runs; exit code 2 if one of them cannot be found or read. */
@Command(
        name = "diff",
        description =
                "Compare two runs: what became better or worse, by how much, and whether that is more than noise.",
        footer = {
            "",
            "A run is a results folder, its results.json, the name of a folder in",
            ".chatterbox/results or its beginning (with the time or without),",
            "latest or previous.",
            "",
            "  ./chatterbox diff previous latest"
        })
public final class Diff implements Callable<Integer> {

    private final Path results;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "RUN_A", description = "The run to compare with.")
    private String runA = "";

    @Parameters(index = "1", paramLabel = "RUN_B", description = "The run that is judged.")
    private String runB = "";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where the page goes; by default into the folder of RUN_B, as diff-<RUN_A>.html.")
    private @Nullable Path page;

    /** With the runs of the checkout that the script called from. */
    public Diff() {
        this(Path.of(System.getenv().getOrDefault("CHATTERBOX_HOME", ""), ".chatterbox", "results"));
    }

    /** @param results the folder that holds the folders of all runs */
    public Diff(Path results) {
        this.results = results;
    }

    @Override
    public Integer call() {
        Comparison comparison = comparison();
        Path file = page != null ? page : besideB(comparison);
        // First what needs no file: the page may go where one must not write.
        new DiffText(comparison).lines(file).forEach(out()::println);
        try {
            Files.writeString(file, new DiffPage(comparison).html());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ExitCode.OK;
    }

    private PrintWriter out() {
        if (spec == null) {
            throw new IllegalStateException("runs in a command line only");
        }
        return spec.commandLine().getOut();
    }

    private Comparison comparison() {
        Runs runs = new Runs(results);
        Results a = Results.read(runs.find(runA));
        Results b = Results.read(runs.find(runB));
        if (a.file()
                .toAbsolutePath()
                .normalize()
                .equals(b.file().toAbsolutePath().normalize())) {
            throw Results.badInput("Both are %s: there is nothing to compare.".formatted(a.file()));
        }
        return new Comparison(a, b);
    }

    private static Path besideB(Comparison comparison) {
        return comparison
                .b()
                .file()
                .resolveSibling("diff-%s.html".formatted(comparison.a().folder()));
    }
}
