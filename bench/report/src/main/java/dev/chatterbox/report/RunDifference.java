package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.Sums;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two runs side by side: ratios of their figures, and what differs in their environments. Runs of different hours have
 * no blocks in common, so what disturbed one of them is in the ratio.
 */
public final class RunDifference {

    private final MeasuredRun a;
    private final MeasuredRun b;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<String> onlyInOne = new ArrayList<>();

    /**
     * A cell in both runs.
     *
     * @param factor below which the two cannot be told apart
     */
    record Pair(String row, Workload workload, Estimate inA, Estimate inB, double ratio, double factor) {

        boolean isTold() {
            return Math.abs(Math.log(ratio)) > Math.log(factor);
        }
    }

    private RunDifference(MeasuredRun a, MeasuredRun b) {
        this.a = a;
        this.b = b;
        for (Workload workload : both(a.results().workloads(), b.results().workloads())) {
            List<Cell> inA = a.results().rows(workload);
            List<Cell> inB = b.results().rows(workload);
            for (Cell cell : inA) {
                inB.stream()
                        .filter(other -> other.row().equals(cell.row())
                                && Objects.equals(other.side(), cell.side())
                                && other.valid()
                                && cell.valid())
                        .findFirst()
                        .ifPresent(other -> pairs.add(pair(cell, other)));
            }
        }
        for (MeasuredRun run : List.of(a, b)) {
            long alone = run.results().cells().stream()
                    .filter(cell -> !cell.bare())
                    .filter(cell -> pairs.stream()
                            .noneMatch(pair -> pair.row.equals(cell.row()) && pair.workload.equals(cell.workload())))
                    .count();
            if (alone > 0) {
                onlyInOne.add("%s of run %s %s no valid counterpart in the other."
                        .formatted(Numbers.counted(alone, "cell"), run == a ? "A" : "B", alone == 1 ? "has" : "have"));
            }
        }
    }

    private static List<Workload> both(SortedSet<Workload> inA, SortedSet<Workload> inB) {
        return inA.stream().filter(inB::contains).toList();
    }

    private Pair pair(Cell inA, Cell inB) {
        Estimate one = a.estimator().figure(Sums.cpu(inA));
        Estimate other = b.estimator().figure(Sums.cpu(inB));
        double factor = Math.exp(Math.hypot(Math.log1p(one.width()), Math.log1p(other.width())));
        return new Pair(inA.row(), inA.workload(), one, other, other.value() / one.value(), factor);
    }

    /**
     * Reads two runs.
     *
     * @param runA the run to compare with: a results folder or its results.json
     * @param runB the run that is judged, likewise
     * @throws ResultsException one is missing or cannot be understood, or both are the same
     */
    public static RunDifference of(Path runA, Path runB) {
        MeasuredRun a = MeasuredRun.read(runA);
        MeasuredRun b = MeasuredRun.read(runB);
        try {
            if (Files.isSameFile(MeasuredRun.file(runA), MeasuredRun.file(runB))) {
                throw new ResultsException("Both are %s: there is nothing to compare.".formatted(runA));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RunDifference(a, b);
    }

    /** What can be said of the two, and below which factor nothing can. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        if (pairs.isEmpty()) {
            sentences.add("The two runs have no valid cell in common.");
        } else {
            Pair widest =
                    pairs.stream().max(Comparator.comparingDouble(Pair::factor)).orElseThrow();
            sentences.add(
                    Double.isFinite(widest.factor)
                            ? ("Runs of different hours cannot be told apart below a factor of %s: the 99 %% intervals of both, which"
                                            + " hold the spread between starts (%s in A, %s in B). What the hour itself does to the machine"
                                            + " comes on top and is in no interval; compare --against measures both in the same blocks.")
                                    .formatted(
                                            factors(widest),
                                            Numbers.percent(a.estimator().startSpread()),
                                            Numbers.percent(b.estimator().startSpread()))
                            : "Runs of different hours cannot be told apart here: one of them has too few blocks for an interval.");
            double[] ratios = pairs.stream().mapToDouble(Pair::ratio).sorted().toArray();
            sentences.add("In the median of the cells, a call costs %s times as much in B as in A; from %s to %s times."
                    .formatted(
                            Numbers.ratio(ratios[ratios.length / 2]),
                            Numbers.ratio(ratios[0]),
                            Numbers.ratio(ratios[ratios.length - 1])));
            sentences.add("%d of %s lie beyond their factor."
                    .formatted(pairs.stream().filter(Pair::isTold).count(), Numbers.counted(pairs.size(), "cell")));
        }
        sentences.addAll(onlyInOne);
        return sentences;
    }

    private String factors(Pair widest) {
        double least = pairs.stream().mapToDouble(Pair::factor).min().orElseThrow();
        String most = Numbers.ratio(widest.factor);
        return pairs.size() == 1 ? most : "%s to %s, by the cell".formatted(Numbers.ratio(least), most);
    }

    private List<String> runs() {
        return List.of("A: %s (%s)".formatted(a.folder(), a.meta()), "B: %s (%s)".formatted(b.folder(), b.meta()));
    }

    private Table ratios() {
        return Table.<Pair>of("CPU-µs a call")
                .row(Pair::row)
                .text("workload", pair -> pair.workload.toString())
                .number("A", pair -> pair.inA.value(), Numbers::digits)
                .number("B", pair -> pair.inB.value(), Numbers::digits)
                .number("B ÷ A", Pair::ratio, Numbers::ratio)
                .number("factor", Pair::factor, Numbers::ratio)
                .text("", pair -> pair.isTold() ? (pair.ratio > 1 ? "dearer" : "cheaper") : "")
                .table(pairs);
    }

    private Table changes() {
        Map<String, String> inA = a.environment();
        Map<String, String> inB = b.environment();
        return Table.<String>of("What differs in the environments")
                .text("what", name -> name)
                .text("A", name -> inA.getOrDefault(name, Numbers.NONE))
                .text("B", name -> inB.getOrDefault(name, Numbers.NONE))
                .table(Stream.concat(inA.keySet().stream(), inB.keySet().stream())
                        .distinct()
                        .filter(name -> !name.equals("machine.loadAverageAtStart")
                                && !withoutArchive(inA.get(name)).equals(withoutArchive(inB.get(name))))
                        .toList());
    }

    /** Each checkout keeps its archives of classes in its own folder. */
    private static String withoutArchive(@Nullable String value) {
        return value == null ? "" : value.replaceAll("SharedArchiveFile=\\S+", "SharedArchiveFile");
    }

    /**
     * For the terminal, at most 100 columns wide but for the path.
     *
     * @param page where the same stands as a page
     */
    public List<String> lines(Path page) {
        List<String> lines = new ArrayList<>(runs());
        if (!pairs.isEmpty()) {
            lines.add("");
            lines.addAll(TableText.terminal(ratios(), Emphasis.NONE));
        }
        lines.add("");
        Table changes = changes();
        lines.add(changes.isEmpty() ? "The environments are the same." : changes.title() + ":");
        changes.lines()
                .forEach(line -> lines.addAll(TableText.wrapped(
                        "  ",
                        "%s: %s → %s"
                                .formatted(line.fields().stream()
                                        .map(Table.Field::text)
                                        .toArray()))));
        lines.add("");
        sentences().forEach(sentence -> lines.addAll(TableText.wrapped("", sentence)));
        lines.add("");
        lines.add("Page: " + page);
        return lines;
    }

    /** One page that needs no network. */
    public String html() {
        Palette palette = Palette.of(Stream.concat(a.palette().names().stream(), b.palette().names().stream())
                .toList());
        Charts charts = new Charts();
        return Templates.render(
                new Page(
                        palette,
                        "%s against %s".formatted(b.folder(), a.folder()),
                        "What differs between two runs?",
                        String.join("; ", runs()),
                        "B against A",
                        sentences(),
                        pairs.isEmpty()
                                ? List.of()
                                : List.of(charts.ratios(
                                        "CPU a call, B ÷ A, with the factor around it",
                                        pairs.stream()
                                                .map(pair -> Charts.Bar.ratio(
                                                        pair.row,
                                                        Axis.text(pair.workload),
                                                        pair.ratio,
                                                        pair.ratio / pair.factor,
                                                        pair.ratio * pair.factor))
                                                .toList())),
                        List.of(),
                        List.of(),
                        Stream.of(ratios(), changes())
                                .map(table -> Page.Section.of(table.title(), List.of(table)))
                                .filter(section -> !section.isEmpty())
                                .toList(),
                        null,
                        List.of()),
                charts);
    }

    /** Of the page, in the folder of B unless the user says otherwise. */
    public String fileName() {
        return "diff-%s.html".formatted(a.folder());
    }
}
