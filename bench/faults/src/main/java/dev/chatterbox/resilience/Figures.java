package dev.chatterbox.resilience;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Figures in the order of a table's columns, each with a value for programs and a text for people. */
public final class Figures {

    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private final Map<String, String> texts = new LinkedHashMap<>();

    /** @param text empty for what only programs read */
    Figures add(String name, @Nullable Object value, String text) {
        values.put(name, value);
        texts.put(name, text);
        return this;
    }

    Figures text(String name, String text) {
        return add(name, text, text);
    }

    Figures count(String name, long count) {
        return add(name, count, String.format(Locale.ROOT, "%,d", count));
    }

    /**
     * @param value null if it is not known
     * @param none the text in place of the value
     */
    Figures number(String name, @Nullable Double value, String format, String none) {
        return add(name, value, value == null ? none : String.format(Locale.ROOT, format, value));
    }

    Figures seconds(String name, @Nullable Double seconds, String none) {
        return number(name, seconds, "%.2f s", none);
    }

    Figures megabytes(String name, long bytes) {
        return add(name, bytes, String.format(Locale.ROOT, "%,d MB", Math.round(bytes / 1e6)));
    }

    @JsonValue
    Map<String, @Nullable Object> values() {
        return values;
    }

    Set<String> names() {
        return values.keySet();
    }

    /** For people; empty if there is no such figure. */
    String text(String name) {
        return texts.getOrDefault(name, "");
    }

    /** Whether it is a number, or is not known. */
    boolean isNumber(String name) {
        return values.get(name) == null || values.get(name) instanceof Number;
    }
}
