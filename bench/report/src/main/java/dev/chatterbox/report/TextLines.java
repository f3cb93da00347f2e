package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.List;

/** Lines for a terminal. */
final class TextLines {

    /** No line is longer. */
    static final int WIDTH = 100;

    private TextLines() {}

    /** Breaks a text between words; the lines after the first are indented a little more than it. */
    static List<String> wrapped(String indent, String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(indent);
        String between = "";
        for (String word : text.split(" ")) {
            if (!between.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent.length())).append("  ");
                between = "";
            }
            line.append(between).append(word);
            between = " ";
        }
        lines.add(line.toString());
        return lines;
    }

    /** With an ellipsis if it is longer. */
    static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }
}
