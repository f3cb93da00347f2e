package dev.chatterbox.report;

import dev.chatterbox.results.Results;
import java.util.List;

/** The results as a table for a terminal, at most 100 columns wide. */
public final class TerminalTable {

    private TerminalTable() {}

    public static List<String> lines(Results results, Ink ink) {
        throw new UnsupportedOperationException("not yet");
    }
}
