package dev.chatterbox.report;

/** Marks words of a terminal's table; a terminal without colours gives them back as they are. */
public interface Ink {

    /** Leaves every text as it is: for files and pipes. */
    Ink NONE = new Ink() {
        @Override
        public String bold(String text) {
            return text;
        }

        @Override
        public String red(String text) {
            return text;
        }
    };

    String bold(String text);

    String red(String text);
}
