package dev.chatterbox.stack;

import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.RowException;
import dev.chatterbox.rows.Rows;
import java.util.List;

/**
 * The rows that a command uses.
 *
 * @param rows the rows, by name
 * @param chosen the words by which a person chose the rows: names, {@link Rows#ALL} or {@link Rows#EACH}; none means
 *     the rows that are started by default
 */
public record Selection(List<Row> rows, List<String> chosen) {

    /** @throws RowException a word names no row */
    public static Selection of(Rows rows, List<String> chosen) {
        return new Selection(rows.choose(chosen), List.copyOf(chosen));
    }

    public List<String> names() {
        return rows.stream().map(Row::name).toList();
    }

    /** Whether the row was chosen by its name or by default, and not only as one of all: then it must start. */
    boolean requires(Row row) {
        return chosen.contains(row.name()) || !chosen.contains(Rows.ALL) && !chosen.contains(Rows.EACH);
    }

    /** The command line's option that chooses these rows. */
    public String option() {
        return chosen.isEmpty() ? "" : " --transports " + String.join(",", chosen);
    }
}
