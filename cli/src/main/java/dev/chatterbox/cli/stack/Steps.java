package dev.chatterbox.cli.stack;

/** Where the start of a stack tells a person what it does. Its methods are called by several threads. */
public interface Steps {

    /** A line that stays. */
    void line(String text);

    /** The line that tells what happens now; it replaces the one before. Nothing is shown where nobody watches. */
    void progress(String text);

    /** A step is done that took so many seconds. */
    void done(String what, double seconds);
}
