package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A table of a page; the first field of a line heads it. */
record Table(String caption, List<Column> columns, List<TableLine> lines) {

    /** @param words whether its fields are words, which stand left, and not numbers */
    record Column(String title, boolean words) {

        @Nullable
        String css() {
            return words ? "w" : null;
        }
    }

    /** @param valid whether what it tells counts */
    record TableLine(boolean valid, TableField head, List<TableField> fields) {

        @Nullable
        String css() {
            return valid ? null : "bad";
        }
    }

    /** @param css a class of the style sheet; null for none */
    record TableField(@Nullable String css, List<Sentence> lines) {}

    static TableField field(Sentence sentence) {
        return new TableField(null, List.of(sentence));
    }

    static TableField field(String text) {
        return field(Sentence.text(text));
    }

    static TableField row(String name) {
        return field(Sentence.row(name));
    }

    static TableField fields(List<String> lines) {
        return new TableField(null, lines.stream().map(Sentence::text).toList());
    }

    static Builder of(String caption) {
        return new Builder(caption);
    }

    static final class Builder {

        private final String caption;
        private final List<Column> columns = new ArrayList<>();
        private final List<TableLine> lines = new ArrayList<>();

        private Builder(String caption) {
            this.caption = caption;
        }

        Builder words(String... titles) {
            for (String title : titles) {
                columns.add(new Column(title, true));
            }
            return this;
        }

        Builder numbers(String... titles) {
            return numbers(List.of(titles));
        }

        Builder numbers(List<String> titles) {
            titles.forEach(title -> columns.add(new Column(title, false)));
            return this;
        }

        Builder line(TableField head, List<TableField> fields) {
            return line(true, head, fields);
        }

        Builder line(boolean valid, TableField head, List<TableField> fields) {
            lines.add(new TableLine(valid, head, List.copyOf(fields)));
            return this;
        }

        Table build() {
            return new Table(caption, List.copyOf(columns), List.copyOf(lines));
        }
    }

    /** A field in its column. */
    record Placed(Column column, TableField field) {}

    /** The fields of a line but for its head. */
    List<Placed> placed(TableLine line) {
        return IntStream.range(0, line.fields().size())
                .mapToObj(i -> new Placed(columns.get(i + 1), line.fields().get(i)))
                .toList();
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }
}
