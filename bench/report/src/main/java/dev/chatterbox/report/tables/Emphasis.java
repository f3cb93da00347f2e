package dev.chatterbox.report.tables;

/** Marks parts of a terminal's lines. Without colours, it returns each text as it is. */
public interface Emphasis {

    /** Leaves every text as it is: for files and pipes. */
    Emphasis NONE = new Emphasis() {};

    default String bold(String text) {
        return text;
    }

    default String red(String text) {
        return text;
    }
}
