package dev.chatterbox.report;

/** Marks parts of a terminal's lines; a terminal without colours gives them back as they are. */
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
