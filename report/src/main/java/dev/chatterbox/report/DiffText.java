package dev.chatterbox.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A comparison of two runs for the terminal, {@value #WIDTH} columns wide at most. */
final class DiffText {

    static final int WIDTH = 100;

    /** The name of a load is cut here. */
    private static final int LOAD = 30;

    private static final String ROW = "  %-" + LOAD + "s %-21s %-21s %-21s";

    private final Comparison comparison;
    private final List<String> lines = new ArrayList<>();

    DiffText(Comparison comparison) {
        this.comparison = comparison;
    }

    /** @param page where the same stands as a page */
    List<String> lines(Path page) {
        run("A", comparison.a());
        run("B", comparison.b());
        comparison.warnings().forEach(warning -> wrapped("! ", warning));
        lines.add("");
        table();
        only("Only in A: ", comparison.onlyInA());
        only("Only in B: ", comparison.onlyInB());
        changes();
        lines.add("");
        lines.add("page: " + page);
        lines.add("");
        comparison.conclusion().forEach(sentence -> wrapped("", sentence));
        return lines;
    }

    private void run(String which, Results results) {
        String revision = results.revision().isEmpty() ? "" : "  git " + results.revision();
        lines.add(cut("%s  %s  %s%s".formatted(which, results.folder(), results.started(), revision), WIDTH));
    }

    private void table() {
        if (comparison.pairs().isEmpty()) {
            return;
        }
        List<String> titles = Comparison.METRICS.stream().map(Metric::title).toList();
        lines.add(row("B ÷ A", titles.get(0), titles.get(1), titles.get(2)));
        String transport = "";
        for (Comparison.Pair pair : comparison.pairs()) {
            if (!pair.a().transport().equals(transport)) {
                transport = pair.a().transport();
                lines.add(transport);
            }
            List<String> cells = Comparison.METRICS.stream()
                    .map(metric -> Difference.of(metric, pair.a(), pair.b()))
                    .map(difference ->
                            difference.text() + " " + difference.verdict().word())
                    .toList();
            lines.add(row(pair.a().load().brief(), cells.get(0), cells.get(1), cells.get(2)));
        }
        wrapped("", "± is the noise, = within it, ? fewer than three rounds. " + Noise.rule());
    }

    private static String row(String load, String one, String two, String three) {
        return ROW.formatted(cut(load, LOAD), one, two, three).stripTrailing();
    }

    private void only(String title, List<Cell> cells) {
        if (!cells.isEmpty()) {
            wrapped(title, Comparison.brief(cells) + ".");
        }
    }

    private void changes() {
        List<Comparison.Change> changes = comparison.changes();
        lines.add("");
        if (changes.isEmpty()) {
            lines.add("The environments are the same.");
            return;
        }
        lines.add("The environments differ in:");
        for (Comparison.Change change : changes) {
            String name = change.shortName();
            String values = "%s → %s".formatted(orNone(change.a()), orNone(change.b()));
            if (name.length() + values.length() + 4 <= WIDTH) {
                lines.add("  %s  %s".formatted(name, values));
            } else {
                lines.add("  " + cut(name, WIDTH - 2));
                lines.add("    A " + cut(orNone(change.a()), WIDTH - 6));
                lines.add("    B " + cut(orNone(change.b()), WIDTH - 6));
            }
        }
    }

    static String orNone(String value) {
        return value.isEmpty() ? Format.NONE : value;
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }

    private void wrapped(String prefix, String text) {
        StringBuilder line = new StringBuilder(prefix);
        for (String word : text.split(" ")) {
            if (line.length() + word.length() > WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder("  ");
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
    }
}
