package dev.chatterbox.report;

import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Two runs side by side: ratios of their figures, and what differs in their environments. Runs of different hours have
 * no blocks in common, so what disturbs one of them is in the ratio, and the factor includes another hour.
 */
public final class RunDifference {

    /**
     * The part by which a cost may differ in another hour. On the two shared cores of docs/how-we-measure.md, a call
     * cost 50 % more in some quarters of an hour.
     */
    private static final double ANOTHER_HOUR = 0.5;

    private static final String FACTOR =
            "Runs of different hours cannot be told apart below the factor. It includes the 99 %% intervals of both, with the"
                    + " spread between starts, and that the same may cost %s more or less in another hour."
                    + " A cell with too few blocks for an interval has none."
                    + " compare --against measures both in the same blocks.";

    private final MeasuredRun a;
    private final MeasuredRun b;

    /**
     * The cells that are in both runs. The interval of a ratio is the factor below which two runs cannot be told apart.
     */
    private final List<Against.Ratio> pairs;

    private RunDifference(MeasuredRun a, MeasuredRun b) {
        this.a = a;
        this.b = b;
        pairs = a.results().workloads().stream()
                .flatMap(workload -> a.results().variants(workload).stream())
                .filter(Cell::valid)
                .flatMap(cell -> b.results().cell(cell.variant(), cell.workload(), cell.side()).stream()
                        .filter(Cell::valid)
                        .map(other -> pair(cell, other)))
                .toList();
    }

    private Against.Ratio pair(Cell inA, Cell inB) {
        Estimate one = a.cost(inA);
        Estimate other = b.cost(inB);
        double intervals = Math.expm1(Math.hypot(Math.log1p(one.width()), Math.log1p(other.width())));
        double factor = Math.exp(Math.hypot(Math.log1p(intervals), Math.log1p(ANOTHER_HOUR)));
        double ratio = other.value() / one.value();
        return new Against.Ratio(
                inA.variant(),
                inA.workload(),
                one,
                other,
                new Estimate(ratio, ratio / factor, ratio * factor, one.caveats()).with(other.caveats()));
    }

    /** The factor below which a pair cannot be told apart: it includes both intervals and another hour. */
    private static double factor(Against.Ratio pair) {
        return pair.cpu().to() / pair.cpu().value();
    }

    /**
     * @param runA the run to compare with: a results folder or its results.json
     * @param runB the run that is judged, likewise
     * @throws ResultsException a run is missing or cannot be understood, or both are the same
     */
    public static RunDifference of(Path runA, Path runB) {
        MeasuredRun a = MeasuredRun.read(runA);
        MeasuredRun b = MeasuredRun.read(runB);
        try {
            if (Files.isSameFile(ResultsFile.file(runA), ResultsFile.file(runB))) {
                throw new ResultsException("Both are %s: there is nothing to compare.".formatted(runA));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RunDifference(a, b);
    }

    /** Sentences about the two runs, with the factor below which they cannot be told apart. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        if (pairs.isEmpty()) {
            sentences.add("The two runs have no valid cell in common.");
        } else {
            sentences.add(FACTOR.formatted(Numbers.percent(ANOTHER_HOUR)));
            sentences.add("%d of %s lie beyond their factor."
                    .formatted(
                            pairs.stream()
                                    .filter(pair -> pair.cpu().leavesOutOne())
                                    .count(),
                            Numbers.counted(pairs.size(), "cell")));
        }
        sentences.add("Without a valid counterpart in the other: %s of run A, and %d of run B."
                .formatted(Numbers.counted(alone(a), "cell"), alone(b)));
        return sentences;
    }

    private long alone(MeasuredRun run) {
        return run.results().cells().stream().filter(cell -> !cell.bare()).count() - pairs.size();
    }

    Table ratios() {
        return Against.table("CPU-µs per call", "A", "B", "B ÷ A")
                .figure("factor", pair -> Estimate.of(factor(pair), pair.cpu().caveats()), Numbers::ratio)
                .text(
                        "",
                        pair -> !pair.cpu().leavesOutOne() ? "" : pair.cpu().value() > 1 ? "costs more" : "costs less")
                .table(pairs);
    }

    /** What differs in the environments. */
    private List<String> changes() {
        Map<String, String> inA = a.environment();
        Map<String, String> inB = b.environment();
        return Stream.concat(inA.keySet().stream(), inB.keySet().stream())
                .distinct()
                .filter(name -> !name.equals("machine.loadAverageAtStart")
                        && !name.startsWith("brokers.")
                        && !Objects.equals(inA.get(name), inB.get(name)))
                .map(name -> "%s: %s → %s"
                        .formatted(name, inA.getOrDefault(name, Numbers.NONE), inB.getOrDefault(name, Numbers.NONE)))
                .toList();
    }

    /** The lines for a terminal, at most 100 columns wide. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.addAll(TableText.wrapped("", "A: %s (%s)".formatted(a.folder(), a.meta())));
        lines.addAll(TableText.wrapped("", "B: %s (%s)".formatted(b.folder(), b.meta())));
        if (!pairs.isEmpty()) {
            lines.add("");
            lines.addAll(TableText.terminal(ratios(), Emphasis.NONE));
        }
        lines.add("");
        List<String> changes = changes();
        lines.add(changes.isEmpty() ? "The environments are the same." : "What differs in the environments:");
        changes.forEach(change -> lines.addAll(TableText.wrapped("  ", change)));
        lines.add("");
        sentences().forEach(sentence -> lines.addAll(TableText.wrapped("", sentence)));
        return lines;
    }
}
