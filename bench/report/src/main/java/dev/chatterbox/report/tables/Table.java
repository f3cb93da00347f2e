package dev.chatterbox.report.tables;

import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Numbers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table, however it is rendered: {@link TableText} makes lines for a terminal, Markdown and CSV from it, table.jte
 * makes HTML. It takes no number without its caveats; each has the marks of its own.
 *
 * @param notes sentences below the table that say what a reader must know about it
 * @param footnotes a sentence for each mark, which it begins with
 */
public record Table(String title, List<Column> columns, List<Line> lines, List<String> notes, List<String> footnotes) {

    public enum Kind {
        VARIANT,
        TEXT,
        NUMBER,
        /** The interval of the number in the column before. */
        INTERVAL;

        public boolean isNumber() {
            return this == NUMBER || this == INTERVAL;
        }
    }

    /** @param spare in which turn, from 1, it is left out if a terminal has too little room; 0 if it always stays */
    public record Column(String title, Kind kind, int spare) {

        /** The interval beside a figure needs no mark of its own. */
        private Field marked(Field field, Footnotes footnotes) {
            return kind == Kind.INTERVAL || field.text.isEmpty()
                    ? field
                    : new Field(field.text + footnotes.mark(field.estimate.caveats()), field.estimate);
        }
    }

    /**
     * @param text for people, with the marks of its caveats
     * @param estimate the number for programs; NaN if there is none
     */
    public record Field(String text, Estimate estimate) {

        private static Field of(String text) {
            return new Field(text, Estimate.NONE);
        }

        private static Field of(Estimate estimate, Function<Estimate, String> text) {
            return new Field(text.apply(estimate), estimate);
        }
    }

    /** @param red whether it is marked as one that costs more or as not reliable */
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

        private @Nullable Function<T, List<Caveat>> caveats;

        private Description(String title) {
            this.title = title;
        }

        private Description<T> column(String title, Kind kind, Function<T, Field> field) {
            columns.add(new Column(title, kind, 0));
            fields.add(field);
            return this;
        }

        /** Adds a column with names of variants, which have a colour and a mark. */
        public Description<T> variant(Function<T, String> name) {
            return column("variant", Kind.VARIANT, line -> Field.of(name.apply(line)));
        }

        public Description<T> text(String title, Function<T, ?> text) {
            return column(title, Kind.TEXT, line -> Field.of(String.valueOf(text.apply(line))));
        }

        /** Says which caveats each number of a line has, in the columns that follow. */
        public Description<T> caveats(Function<T, List<Caveat>> caveats) {
            this.caveats = caveats;
            return this;
        }

        /** Adds a column with numbers that only people read. */
        public Description<T> numbers(String title, Function<T, String> text) {
            Function<T, List<Caveat>> caveats = known(title);
            return printed(title, line -> Estimate.of(Double.NaN, caveats.apply(line)), text);
        }

        /** @param value the number; NaN gives an empty field */
        public Description<T> number(String title, ToDoubleFunction<T> value, DoubleFunction<String> text) {
            Function<T, List<Caveat>> caveats = known(title);
            return figure(title, line -> Estimate.of(value.applyAsDouble(line), caveats.apply(line)), text);
        }

        private Function<T, List<Caveat>> known(String title) {
            if (caveats == null) {
                throw new IllegalStateException(
                        "The column '%s' has numbers, and nobody says which caveats they have.".formatted(title));
            }
            return caveats;
        }

        /** @param figure has the caveats; NaN gives an empty field */
        public Description<T> figure(String title, Function<T, Estimate> figure, DoubleFunction<String> text) {
            Function<Estimate, String> shown = known -> Double.isFinite(known.value()) ? text.apply(known.value()) : "";
            return column(title, Kind.NUMBER, line -> Field.of(figure.apply(line), shown));
        }

        /** Adds a column with a figure and the text that shows it. */
        public Description<T> printed(String title, Function<T, Estimate> figure, Function<T, String> text) {
            return column(title, Kind.NUMBER, line -> new Field(text.apply(line), figure.apply(line)));
        }

        /** Adds a column with a figure and its interval in one field. */
        public Description<T> withInterval(String title, Function<T, Estimate> figure, DoubleFunction<String> text) {
            return column(
                    title,
                    Kind.NUMBER,
                    line -> Field.of(figure.apply(line), known -> Numbers.withInterval(known, text)));
        }

        /** Adds a column with a figure, and beside it a column with its 99 % interval. */
        public Description<T> estimate(String title, Function<T, Estimate> estimate, DoubleFunction<String> text) {
            Function<Estimate, String> interval =
                    known -> known.hasInterval() ? text.apply(known.from()) + "–" + text.apply(known.to()) : "";
            return figure(title, estimate, text)
                    .column("99 %", Kind.INTERVAL, line -> Field.of(estimate.apply(line), interval));
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
            return table(all, line -> false, List.of());
        }

        /** Makes the table, without the columns that are empty in every line. */
        public Table table(Collection<? extends T> all, Predicate<? super T> red, List<String> notes) {
            Footnotes footnotes = new Footnotes();
            List<Line> lines = all.stream()
                    .map(line -> new Line(
                            red.test(line),
                            IntStream.range(0, fields.size())
                                    .mapToObj(i ->
                                            columns.get(i).marked(fields.get(i).apply(line), footnotes))
                                    .toList()))
                    .toList();
            return new Table(title, columns, lines, notes, footnotes.sentences())
                    .only(i -> lines.stream()
                            .anyMatch(line -> !line.fields.get(i).text.isEmpty()));
        }
    }

    /** This table with only some columns. */
    Table only(IntPredicate isColumn) {
        int[] columns = IntStream.range(0, this.columns.size()).filter(isColumn).toArray();
        return new Table(
                title,
                IntStream.of(columns).mapToObj(this.columns::get).toList(),
                lines.stream()
                        .map(line -> new Line(
                                line.red,
                                IntStream.of(columns).mapToObj(line.fields::get).toList()))
                        .toList(),
                notes,
                footnotes);
    }
}
