package dev.chatterbox.report.tables;

import dev.chatterbox.results.Estimate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A table, however it is rendered: {@link TableText} makes lines for a terminal, Markdown and CSV from it, table.jte
 * makes HTML.
 *
 * @param notes sentences below the table that say what a reader must know about it
 */
public record Table(String title, List<Column> columns, List<Line> lines, List<String> notes) {

    public enum Kind {
        ROW,
        TEXT,
        NUMBER
    }

    /** @param spare in which turn, from 1, it is left out if a terminal has too little room; 0 if it always stays */
    public record Column(String title, Kind kind, int spare) {}

    /** @param number the number for programs; NaN if there is none */
    public record Field(String text, double number) {}

    /** @param red whether it is marked as dearer or as not reliable */
    public record Line(boolean red, List<Field> fields) {}

    public static <T> Description<T> of(String title) {
        return new Description<>(title);
    }

    public boolean isEmpty() {
        return lines.isEmpty();
    }

    /** What each column shows of a {@code T}. */
    public static final class Description<T> {

        private final String title;
        private final List<Column> columns = new ArrayList<>();
        private final List<Function<T, Field>> fields = new ArrayList<>();

        private Description(String title) {
            this.title = title;
        }

        private Description<T> column(String title, Kind kind, Function<T, Field> field) {
            columns.add(new Column(title, kind, 0));
            fields.add(field);
            return this;
        }

        /** Adds a column with names of rows, which have a colour and a mark. */
        public Description<T> row(Function<T, String> name) {
            return column("row", Kind.ROW, one -> new Field(name.apply(one), Double.NaN));
        }

        public Description<T> text(String title, Function<T, ?> text) {
            return column(title, Kind.TEXT, one -> new Field(String.valueOf(text.apply(one)), Double.NaN));
        }

        /** Adds a column with numbers that only people read, such as an interval. */
        public Description<T> numbers(String title, Function<T, String> text) {
            return column(title, Kind.NUMBER, one -> new Field(text.apply(one), Double.NaN));
        }

        /** @param value the number; NaN gives an empty field */
        public Description<T> number(String title, ToDoubleFunction<T> value, DoubleFunction<String> text) {
            return column(title, Kind.NUMBER, one -> {
                double number = value.applyAsDouble(one);
                return new Field(Double.isFinite(number) ? text.apply(number) : "", number);
            });
        }

        /** Adds a column with a number, and beside it a column with its 99 % interval. */
        public Description<T> estimate(String title, Function<T, Estimate> estimate, DoubleFunction<String> text) {
            return number(title, one -> estimate.apply(one).value(), text)
                    .numbers(
                            "99 %",
                            one -> {
                                Estimate figure = estimate.apply(one);
                                return figure.hasInterval()
                                        ? text.apply(figure.from()) + "–" + text.apply(figure.to())
                                        : "";
                            });
        }

        /**
         * Lets the last column be left out if a terminal has too little room.
         *
         * @param turn in which turn it is left out, from 1
         */
        public Description<T> spare(int turn) {
            Column last = columns.remove(columns.size() - 1);
            columns.add(new Column(last.title, last.kind, turn));
            return this;
        }

        public Table table(Collection<? extends T> all) {
            return table(all, one -> false, List.of());
        }

        /** Makes the table, without the columns that are empty in every line. */
        public Table table(Collection<? extends T> all, Predicate<? super T> red, List<String> notes) {
            List<Line> lines = all.stream()
                    .map(one -> new Line(
                            red.test(one),
                            fields.stream().map(field -> field.apply(one)).toList()))
                    .toList();
            int[] filled = IntStream.range(0, columns.size())
                    .filter(i -> lines.stream()
                            .anyMatch(line -> !line.fields.get(i).text.isEmpty()))
                    .toArray();
            return new Table(title, columns, lines, notes).only(filled);
        }
    }

    /** This table with only these columns. */
    Table only(int... kept) {
        return new Table(
                title,
                IntStream.of(kept).mapToObj(columns::get).toList(),
                lines.stream()
                        .map(line -> new Line(
                                line.red,
                                IntStream.of(kept).mapToObj(line.fields::get).toList()))
                        .toList(),
                notes);
    }
}
