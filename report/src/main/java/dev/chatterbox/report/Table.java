package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.List;

/** A table of a page. The first column heads its row; the others are numbers. */
final class Table {

    private final String caption;
    private final List<String> header;
    private final StringBuilder rows = new StringBuilder();
    private final List<Boolean> words = new ArrayList<>();

    Table(String caption, String... header) {
        this(caption, List.of(header));
    }

    Table(String caption, List<String> header) {
        this.caption = caption;
        this.header = header;
        header.forEach(column -> words.add(false));
    }

    /** Columns of words stand left. */
    Table words(int... columns) {
        for (int column : columns) {
            words.set(column, true);
        }
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    Table row(List<String> cells) {
        return row("", cells);
    }

    /** @param cells as HTML; @param css a class of the row, {@code bad} for what is not valid */
    Table row(String css, List<String> cells) {
        rows.append(css.isEmpty() ? "<tr>" : "<tr class=\"%s\">".formatted(css));
        for (int i = 0; i < cells.size(); i++) {
            String left = words.get(i) ? " class=\"w\"" : "";
            rows.append(
                    i == 0
                            ? "<th scope=\"row\">%s</th>".formatted(cells.get(i))
                            : "<td%s>%s</td>".formatted(left, cells.get(i)));
        }
        rows.append("</tr>\n");
        return this;
    }

    String html() {
        StringBuilder html = new StringBuilder(
                        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>"
                                .formatted(Html.text(caption)))
                .append("<caption class=\"sr\">%s</caption>\n<thead><tr>".formatted(Html.text(caption)));
        for (int i = 0; i < header.size(); i++) {
            html.append("<th scope=\"col\"%s>%s</th>"
                    .formatted(words.get(i) ? " class=\"w\"" : "", Html.text(header.get(i))));
        }
        return html.append("</tr></thead>\n<tbody>\n")
                .append(rows)
                .append("</tbody></table></div>")
                .toString();
    }

    /** Folded away behind a chart. */
    String folded() {
        return "<details><summary>Table</summary>%s</details>".formatted(html());
    }
}
