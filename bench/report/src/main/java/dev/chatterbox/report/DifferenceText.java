package dev.chatterbox.report;

import dev.chatterbox.report.RunPair.CellPair;
import dev.chatterbox.report.RunPair.Change;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The difference of two runs for the terminal. */
final class DifferenceText {

    /** The words of a workload are cut here. */
    private static final int WORKLOAD = 30;

    private static final String ROW = "  %-" + WORKLOAD + "s %-21s %-21s %-21s";

    private final RunPair runs;
    private final DifferenceSentences sentences;
    private final List<String> lines = new ArrayList<>();

    DifferenceText(RunPair runs) {
        this.runs = runs;
        this.sentences = new DifferenceSentences(runs);
    }

    /** @param page where the same stands as a page */
    List<String> lines(Path page) {
        run("A", runs.a());
        run("B", runs.b());
        sentences.warnings().forEach(warning -> wrapped("! " + warning));
        lines.add("");
        table();
        runs.onlyInOne().forEach(only -> wrapped(only.toString()));
        changes();
        lines.add("");
        lines.add("page: " + page);
        lines.add("");
        sentences.conclusion().forEach(sentence -> wrapped(sentence.toString()));
        return lines;
    }

    private void wrapped(String text) {
        lines.addAll(TextLines.wrapped("", text));
    }

    private void run(String which, MeasuredRun run) {
        String revision = run.revision().isEmpty() ? "" : "  git " + run.revision();
        lines.add(
                TextLines.cut("%s  %s  %s%s".formatted(which, run.folder(), run.started(), revision), TextLines.WIDTH));
    }

    private void table() {
        if (runs.pairs().isEmpty()) {
            return;
        }
        lines.add(row("B ÷ A", RunPair.METRICS.stream().map(Metric::title)));
        String title = "";
        for (CellPair pair : runs.pairs()) {
            String further = Axis.further(pair.a().workload());
            String own = pair.a().row() + (further.isEmpty() ? "" : ", " + further);
            if (!own.equals(title)) {
                title = own;
                lines.add(TextLines.cut(title, TextLines.WIDTH));
            }
            lines.add(row(
                    Axis.callsAndLoad(pair.a().workload()),
                    RunPair.METRICS.stream()
                            .map(pair::difference)
                            .map(difference -> difference.text() + " "
                                    + difference.verdict().word())));
            pair.shift()
                    .ifPresent(shift -> lines.add(TextLines.cut("    of it " + shift.judgedText(), TextLines.WIDTH)));
        }
        wrapped(
                "p is the chance that the rounds lie so far apart if nothing differs; = is within the noise; ? is not judged: fewer than five rounds, or a latency where the machine was not equally fast. "
                        + Noise.rule() + " " + Noise.shiftRule());
    }

    private static String row(String workload, Stream<String> byMetric) {
        List<Object> fields = new ArrayList<>();
        fields.add(TextLines.cut(workload, WORKLOAD));
        byMetric.forEach(fields::add);
        return ROW.formatted(fields.toArray()).stripTrailing();
    }

    private void changes() {
        lines.add("");
        if (runs.changes().isEmpty()) {
            lines.add("The environments are the same.");
            return;
        }
        lines.add("The environments differ in:");
        for (Change change : runs.changes()) {
            String line = "  %s  %s → %s".formatted(change.name(), orNone(change.a()), orNone(change.b()));
            if (line.length() <= TextLines.WIDTH) {
                lines.add(line);
            } else {
                lines.add(TextLines.cut("  " + change.name(), TextLines.WIDTH));
                lines.add(TextLines.cut("    A " + orNone(change.a()), TextLines.WIDTH));
                lines.add(TextLines.cut("    B " + orNone(change.b()), TextLines.WIDTH));
            }
        }
    }

    private static String orNone(String value) {
        return value.isEmpty() ? Numbers.NONE : value;
    }
}
