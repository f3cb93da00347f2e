package dev.chatterbox.stack;

/** Shows a person what the start of a stack does. Its methods are called by several threads. */
public interface Steps {

    /** Where nobody watches. */
    Steps SILENT = new Steps() {
        @Override
        public void line(String text) {}

        @Override
        public void progress(String text) {}

        @Override
        public void done(String what, double seconds) {}
    };

    /** A line that stays. */
    void line(String text);

    /** The line that says what happens now; it replaces the one before. Nothing is shown where nobody watches. */
    void progress(String text);

    /** A step is done that took so many seconds. */
    void done(String what, double seconds);
}
