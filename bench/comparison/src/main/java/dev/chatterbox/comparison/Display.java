package dev.chatterbox.comparison;

/** Where a comparison tells a person what it does. Its methods are called by several threads. */
public interface Display {

    /** A line that stays. */
    void line(String text);

    /** The line that tells what happens now; it replaces the one before. Nothing is shown where nobody watches. */
    void progress(String text);

    /** Whether a person watches: then {@link #progress} tells every step, and lines for each would be too many. */
    boolean interactive();
}
