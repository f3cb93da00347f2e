package dev.chatterbox.stack;

import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.RowException;
import dev.chatterbox.rows.Rows;
import java.util.List;

/**
 * The rows that a command asks for.
 *
 * @param rows by name
 * @param words by which they were asked for: names, {@link Rows#ALL} or {@link Rows#EACH}; none means those that are
 *     started by default
 */
public record Selection(List<Row> rows, List<String> words) {

    /** @throws RowException a word means no row */
    public static Selection of(Rows rows, List<String> words) {
        return new Selection(rows.choose(words), List.copyOf(words));
    }

    public List<String> names() {
        return rows.stream().map(Row::name).toList();
    }

    /** Whether the row was meant, and not merely part of what a word means: then it must start. */
    boolean requires(Row row) {
        return words.contains(row.name()) || !words.contains(Rows.ALL) && !words.contains(Rows.EACH);
    }

    /** The option that asks for them. */
    public String option() {
        return words.isEmpty() ? "" : " --transports " + String.join(",", words);
    }
}
