package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text for people that knows which of its words are names of rows, so that a page can colour these. Its {@code
 * toString()} is the same without colours.
 */
record Sentence(List<Part> parts) {

    static final Sentence EMPTY = new Sentence(List.of());

    /** A number and its unit, which no line break should part. */
    private static final Pattern UNIT =
            Pattern.compile("(?<=\\d) (?=(?:k|M|µs|ms|s|%|B|kB|MB|GB|calls?|users?|times)\\b|%|(?:k|M)/s)");

    private static final Pattern HOLE = Pattern.compile("\\{}");

    sealed interface Part {

        String text();
    }

    record Words(String text) implements Part {}

    record RowName(String text) implements Part {}

    /**
     * Fills the holes of a pattern, {@code {}}, in their order.
     *
     * @param values sentences keep their names of rows; everything else is text
     */
    static Sentence of(String pattern, Object... values) {
        List<Part> parts = new ArrayList<>();
        Matcher holes = HOLE.matcher(pattern);
        int from = 0;
        for (Object value : values) {
            if (!holes.find()) {
                throw new IllegalArgumentException("more values than holes: " + pattern);
            }
            add(parts, pattern.substring(from, holes.start()));
            if (value instanceof Sentence sentence) {
                parts.addAll(sentence.parts);
            } else {
                add(parts, value.toString());
            }
            from = holes.end();
        }
        if (holes.find()) {
            throw new IllegalArgumentException("more holes than values: " + pattern);
        }
        add(parts, pattern.substring(from));
        return new Sentence(List.copyOf(parts));
    }

    /** Text as it is, whatever stands in it. */
    static Sentence text(String text) {
        return of("{}", text);
    }

    private static void add(List<Part> parts, String text) {
        if (!text.isEmpty()) {
            parts.add(new Words(text));
        }
    }

    static Sentence row(String name) {
        return new Sentence(List.of(new RowName(name)));
    }

    /** "able, baker and charlie" */
    static Sentence rows(List<String> names) {
        return list(names.stream().map(Sentence::row).toList());
    }

    /** "a, b and c" */
    static Sentence list(List<Sentence> sentences) {
        int last = sentences.size() - 1;
        return last < 1
                ? joined("", sentences)
                : of("{} and {}", joined(", ", sentences.subList(0, last)), sentences.get(last));
    }

    /** "a, b and c" */
    static String words(List<String> words) {
        return list(words.stream().map(Sentence::text).toList()).toString();
    }

    static Sentence joined(String separator, List<Sentence> sentences) {
        List<Part> parts = new ArrayList<>();
        for (Sentence sentence : sentences) {
            if (!parts.isEmpty()) {
                add(parts, separator);
            }
            parts.addAll(sentence.parts);
        }
        return new Sentence(List.copyOf(parts));
    }

    Sentence then(String text) {
        return of("{}{}", this, text);
    }

    Sentence then(Sentence next) {
        return of("{}{}", this, next);
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** With a capital at its beginning; a row's name stays as it is, also there. */
    Sentence capital() {
        if (parts.isEmpty() || parts.get(0) instanceof RowName) {
            return this;
        }
        List<Part> capital = new ArrayList<>(parts);
        capital.set(0, new Words(capital(parts.get(0).text())));
        return new Sentence(List.copyOf(capital));
    }

    /** With a capital; "p99" stays what it is. */
    static String capital(String text) {
        return text.matches("(?s)|.\\d.*") ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** For a page: no line ends between a number and its unit. */
    static String unbroken(String text) {
        return UNIT.matcher(text).replaceAll("\u00a0");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(part.text()));
        return text.toString();
    }
}
