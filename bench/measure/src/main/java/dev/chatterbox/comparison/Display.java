package dev.chatterbox.comparison;

/** Where a comparison tells a person what it does. Its methods are called by several threads. */
public interface Display {

    /** Shows a line that stays. */
    void line(String text);

    /** Shows what happens now, in one line or several, in place of the text before; nothing if nobody watches. */
    void progress(String text);

    /** Whether a person watches. Then {@link #progress} shows every step, and a line for each would be too much. */
    boolean interactive();
}
