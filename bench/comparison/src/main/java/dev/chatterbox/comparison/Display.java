package dev.chatterbox.comparison;

/** Where a comparison tells a person what it does. Its methods are called by several threads. */
public interface Display {

    /** A line that stays. */
    void line(String text);

    /** What happens now, in one line or several; it replaces the text before. Nothing is shown where nobody watches. */
    void progress(String text);

    /** Whether a person watches: then {@link #progress} tells every step, and lines for each would be too many. */
    boolean interactive();
}
