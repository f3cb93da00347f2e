package dev.chatterbox.report;

import dev.chatterbox.results.ResultsException;
import java.nio.file.Path;
import java.util.List;

/** The difference of two runs: what became better or worse in B, by how much, and whether that is more than noise. */
public final class RunDifference {

    private RunDifference() {}

    /**
     * Reads two runs of any schema.
     *
     * @param runA the run to compare with: a results folder or its results.json
     * @param runB the run that is judged, likewise
     * @throws ResultsException one is missing or cannot be understood, or both are the same
     */
    public static RunDifference of(Path runA, Path runB) {
        throw new UnsupportedOperationException("not yet");
    }

    /**
     * For the terminal, at most 100 columns wide.
     *
     * @param page where the same stands as a page
     */
    public List<String> lines(Path page) {
        throw new UnsupportedOperationException("not yet");
    }

    /** One page that needs no network. */
    public String html() {
        throw new UnsupportedOperationException("not yet");
    }

    /** Of the page, in the folder of B unless the user says otherwise. */
    public String fileName() {
        throw new UnsupportedOperationException("not yet");
    }
}
