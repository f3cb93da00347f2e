package dev.chatterbox.comparison.counts;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The samples of a scrape of a service, in the text format of Prometheus. */
public final class Prometheus {

    /** {@code name{label="value",…} 1.0}, with \\, \" and \n escaped in values; a time stamp may follow. */
    private static final Pattern LINE = Pattern.compile("([^\\s{]+)(?:\\{(.*)})?\\s+(\\S+)(?:\\s+\\S+)?");

    private static final Pattern LABEL = Pattern.compile("([^\\s=,]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern ESCAPED = Pattern.compile("\\\\([\\\\\"n])");

    public record Sample(String name, Map<String, String> labels, double value) {

        /** The value of a label; empty if the sample has no such label. */
        public String label(String name) {
            return labels.getOrDefault(name, "");
        }

        Sample with(String label, String value) {
            Map<String, String> more = new TreeMap<>(labels);
            more.put(label, value);
            return new Sample(name, more, this.value);
        }
    }

    private Prometheus() {}

    /** Reads the samples and ignores every other line. */
    public static List<Sample> samples(String text) {
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> LINE.matcher(line.strip()))
                .filter(Matcher::matches)
                .map(parts -> new Sample(parts.group(1), labels(parts.group(2)), number(parts.group(3))))
                .toList();
    }

    private static Map<String, String> labels(@Nullable String text) {
        Map<String, String> labels = new TreeMap<>();
        if (text != null) {
            for (Matcher label = LABEL.matcher(text); label.find(); ) {
                // One pass, because the n after an escaped backslash ends no line.
                labels.put(
                        label.group(1),
                        ESCAPED.matcher(label.group(2))
                                .replaceAll(character -> character.group(1).equals("n")
                                        ? "\n"
                                        : Matcher.quoteReplacement(character.group(1))));
            }
        }
        return labels;
    }

    /** A value as the format writes it; an infinite one and one that is none are among them. */
    private static double number(String text) {
        return Double.parseDouble(text.replace("Inf", "Infinity"));
    }
}
