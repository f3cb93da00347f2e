package dev.chatterbox.report.tables;

import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tables as text. */
public final class TableText {

    /** The length of the longest line on a terminal. */
    public static final int WIDTH = 100;

    private static final String CAVEATS = "caveats";

    private TableText() {}

    /** The lines for a terminal, without the spare columns for which there is no room. */
    public static List<String> terminal(Table table, Emphasis emphasis) {
        Table fitting = fitting(table);
        List<Table.Column> columns = fitting.columns();
        int[] widths = widths(fitting);
        while (width(widths) > WIDTH) {
            OptionalInt widest = IntStream.range(0, widths.length)
                    .filter(i -> !columns.get(i).kind().isNumber() && widths[i] > 1)
                    .reduce((a, b) -> widths[a] >= widths[b] ? a : b);
            if (widest.isEmpty()) {
                break;
            }
            widths[widest.getAsInt()]--;
        }
        List<String> lines = new ArrayList<>();
        if (!table.title().isEmpty()) {
            lines.addAll(wrapped("", table.title() + ":"));
        }
        lines.add(emphasis.bold(line(columns.stream().map(Table.Column::title).toList(), columns, widths)));
        for (Table.Line line : fitting.lines()) {
            String text = line(line.fields().stream().map(TableText::tight).toList(), columns, widths);
            lines.add(line.red() ? emphasis.red(text) : text);
        }
        table.notes().forEach(note -> lines.addAll(wrapped("  ", "! " + note)));
        table.footnotes().forEach(footnote -> lines.addAll(wrapped("  ", footnote)));
        return lines;
    }

    /** The table without the spare columns for which there is no room. */
    private static Table fitting(Table table) {
        Optional<Table.Column> spare = table.columns().stream()
                .filter(column -> column.spare() > 0)
                .min(Comparator.comparingInt(Table.Column::spare));
        return width(widths(table)) <= WIDTH || spare.isEmpty()
                ? table
                : fitting(table.only(i -> table.columns().get(i) != spare.get()));
    }

    private static int width(int[] widths) {
        return IntStream.of(widths).sum() + 2 * (widths.length - 1);
    }

    private static int[] widths(Table table) {
        return IntStream.range(0, table.columns().size())
                .map(i -> Math.max(
                        table.columns().get(i).title().length(),
                        table.lines().stream()
                                .mapToInt(line -> tight(line.fields().get(i)).length())
                                .max()
                                .orElse(0)))
                .toArray();
    }

    /** The text without the space between a number and its unit, which marks may follow. */
    private static String tight(Table.Field field) {
        return field.text().replaceAll("(?<=\\d) (?=[a-zA-Z%µ]{1,2}($|–|\\p{Lm}))", "");
    }

    private static String line(List<String> texts, List<Table.Column> columns, int[] widths) {
        return IntStream.range(0, widths.length)
                .mapToObj(i -> {
                    String text = texts.get(i);
                    String cut = text.length() <= widths[i] ? text : text.substring(0, widths[i] - 1) + "…";
                    String room = " ".repeat(widths[i] - cut.length());
                    return columns.get(i).kind().isNumber() ? room + cut : cut + room;
                })
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }

    public static String markdown(Table table) {
        List<String> lines = new ArrayList<>();
        if (!table.title().isEmpty()) {
            lines.add("### " + table.title() + "\n");
        }
        lines.add(piped(table.columns().stream().map(Table.Column::title).toList()));
        lines.add(piped(table.columns().stream()
                .map(column -> column.kind().isNumber() ? "--:" : "---")
                .toList()));
        table.lines()
                .forEach(line -> lines.add(
                        piped(line.fields().stream().map(Table.Field::text).toList())));
        table.notes().forEach(note -> lines.add("\n" + escaped(note)));
        table.footnotes()
                .forEach(footnote ->
                        lines.add("\n" + paragraph(escaped(footnote)).strip()));
        return String.join("\n", lines) + "\n";
    }

    /** A text of Markdown in lines of at most {@value #WIDTH} characters. */
    public static String paragraph(String text) {
        return String.join("\n", wrapped("", text)).replace("\n  ", "\n") + "\n";
    }

    private static String piped(List<String> fields) {
        return fields.stream().map(TableText::escaped).collect(Collectors.joining(" | ", "| ", " |"));
    }

    /** Escapes the characters that Markdown, or a page that renders it as HTML, would take as its own. */
    public static String escaped(String text) {
        return text.replaceAll("([\\\\|`*_\\[\\]])", "\\\\$1")
                .replace("<", "&lt;")
                .replaceAll("\\s+", " ");
    }

    /**
     * The lines of tables as CSV, with numbers in full: first the title of a line's table, then all columns of all
     * tables, at last the caveats of its figures. An interval has two columns.
     *
     * @param ofAll caveats of every figure
     */
    public static String csv(List<Table> tables, List<Caveat> ofAll) {
        List<Map<String, String>> lines = tables.stream()
                .flatMap(table -> table.lines().stream().map(line -> values(table, line, ofAll)))
                .toList();
        Set<String> titles = new LinkedHashSet<>(List.of("table"));
        lines.forEach(values -> titles.addAll(values.keySet()));
        // The last column of every line.
        titles.remove(CAVEATS);
        titles.add(CAVEATS);
        return Stream.concat(
                        Stream.of(titles.stream()),
                        lines.stream().map(values -> titles.stream().map(title -> values.getOrDefault(title, ""))))
                .map(fields -> fields.map(TableText::quoted).collect(Collectors.joining(",", "", "\n")))
                .collect(Collectors.joining());
    }

    private static Map<String, String> values(Table table, Table.Line line, List<Caveat> ofAll) {
        Map<String, String> values = new LinkedHashMap<>();
        Set<String> caveats = new LinkedHashSet<>();
        values.put("table", table.title());
        String figure = "";
        for (int i = 0; i < table.columns().size(); i++) {
            Table.Column column = table.columns().get(i);
            Table.Field field = line.fields().get(i);
            Estimate estimate = field.estimate();
            if (column.kind() == Table.Kind.INTERVAL) {
                values.put(figure + " from", plain(estimate.from()));
                values.put(figure + " to", plain(estimate.to()));
            } else {
                figure = column.title();
                values.put(figure, Double.isFinite(estimate.value()) ? plain(estimate.value()) : field.text());
            }
            if (!field.text().isEmpty()) {
                estimate.caveats().forEach(caveat -> caveats.add(caveat.toString()));
            }
        }
        ofAll.forEach(caveat -> caveats.add(caveat.toString()));
        values.put(CAVEATS, String.join("; ", caveats));
        return values;
    }

    /** All digits; empty for NaN. */
    private static String plain(double number) {
        if (!Double.isFinite(number)) {
            return "";
        }
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    private static String quoted(String value) {
        return value.matches("[^,\"\\r\\n]*") ? value : '"' + value.replace("\"", "\"\"") + '"';
    }

    /** Breaks a text between words; the lines after the first are indented a little more than it. */
    public static List<String> wrapped(String indent, String text) {
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
}
