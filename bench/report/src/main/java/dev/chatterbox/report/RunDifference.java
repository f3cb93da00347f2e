package dev.chatterbox.report;

import dev.chatterbox.results.ResultsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The difference of two runs: what became better or worse in B, by how much, and whether that is more than noise. */
public final class RunDifference {

    private final RunPair runs;

    private RunDifference(RunPair runs) {
        this.runs = runs;
    }

    /**
     * Reads two runs of any schema.
     *
     * @param runA the run to compare with: a results folder or its results.json
     * @param runB the run that is judged, likewise
     * @throws ResultsException one is missing or cannot be understood, or both are the same
     */
    public static RunDifference of(Path runA, Path runB) {
        MeasuredRun a = MeasuredRun.read(runA);
        MeasuredRun b = MeasuredRun.read(runB);
        if (isSame(runA, runB)) {
            throw new ResultsException("Both are %s: there is nothing to compare.".formatted(runA));
        }
        return new RunDifference(new RunPair(a, b));
    }

    private static boolean isSame(Path runA, Path runB) {
        try {
            return Files.isSameFile(MeasuredRun.file(runA), MeasuredRun.file(runB));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * For the terminal, at most 100 columns wide but for the path.
     *
     * @param page where the same stands as a page
     */
    public List<String> lines(Path page) {
        return new DifferenceText(runs).lines(page);
    }

    /** One page that needs no network. */
    public String html() {
        return Templates.render(DifferencePage.of(runs));
    }

    /** Of the page, in the folder of B unless the user says otherwise. */
    public String fileName() {
        return "diff-%s.html".formatted(runs.a().folder());
    }
}
