package dev.chatterbox.report;

import dev.chatterbox.report.FigureDifference.Verdict;
import dev.chatterbox.results.Cell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What two runs say about each other, in words. */
final class DifferenceSentences {

    /** More than so many of 100 comparisons are not chance; {@link Noise} gives one or two. */
    private static final double CHANCE = 0.02;

    /** With fewer comparisons, one alone is worth a sentence. */
    private static final int MANY = 20;

    private final RunPair runs;

    DifferenceSentences(RunPair runs) {
        this.runs = runs;
    }

    /** In plain sentences; the first is the one to remember. */
    List<Sentence> conclusion() {
        List<FigureDifference> all = runs.differences();
        if (all.isEmpty()) {
            return List.of(Sentence.text("A and B have no cell in common, so there is nothing to compare."));
        }
        List<FigureDifference> judged = all.stream()
                .filter(difference -> difference.verdict().isJudged())
                .toList();
        List<FigureDifference> larger = judged.stream()
                .filter(difference -> difference.verdict().counts())
                .toList();
        List<Sentence> sentences = new ArrayList<>();
        if (judged.isEmpty()) {
            sentences.add(Sentence.of(
                    "Nothing can be judged: that needs cells that are valid in both, with {} rounds or more.",
                    Noise.LEAST_ROUNDS));
        } else if (larger.isEmpty()) {
            sentences.add(Sentence.of(
                    "A and B are equal within the noise: none of {} is larger.",
                    Numbers.counted(judged.size(), "difference")));
        } else if (judged.size() >= MANY && larger.size() <= CHANCE * judged.size()) {
            sentences.add(Sentence.of(
                    "A and B are equal within the noise but for {} of {}, and so few can be chance: {}.",
                    larger.size(),
                    Numbers.counted(judged.size(), "difference"),
                    Sentence.joined(
                            "; ",
                            larger.stream().map(DifferenceSentences::single).toList())));
        } else {
            sentences.add(summary(judged));
            runs.rows().forEach(row -> {
                details(row, judged).ifPresent(sentences::add);
                sentences.addAll(shifts(row));
            });
        }
        long unknown = all.stream()
                .filter(difference -> difference.verdict() == Verdict.UNKNOWN)
                .count();
        if (unknown > 0 && !judged.isEmpty()) {
            sentences.add(Sentence.of(
                    "{} not judged: fewer than {} rounds, or a latency where the machine was not equally fast.",
                    unknown == 1 ? "1 difference is" : Numbers.counted(unknown, "difference") + " are",
                    Noise.LEAST_ROUNDS));
        }
        return sentences;
    }

    private static Sentence single(FigureDifference difference) {
        return Sentence.of(
                "{} of {} at {} is {}",
                difference.metric().title(),
                Sentence.row(difference.row()),
                Axis.brief(difference.workload()),
                difference.verdict() == Verdict.SHIFTED
                        ? "shifted between the processes"
                        : Numbers.ratio(difference.ratio()) + " times A's");
    }

    private Sentence summary(List<FigureDifference> judged) {
        Map<String, Set<Verdict>> verdicts = new LinkedHashMap<>();
        runs.rows()
                .forEach(row -> verdicts.put(
                        row,
                        judged.stream()
                                .filter(difference -> difference.row().equals(row))
                                .map(FigureDifference::verdict)
                                .collect(Collectors.toSet())));
        List<Sentence> parts = new ArrayList<>();
        add(parts, "B is better than A over {}", rows(verdicts, true, false));
        add(parts, "B is worse than A over {}", rows(verdicts, false, true));
        add(parts, "B is better here and worse there over {}", rows(verdicts, true, true));
        List<String> neither = rows(verdicts, false, false);
        List<String> shifted = neither.stream()
                .filter(row -> verdicts.getOrDefault(row, Set.of()).contains(Verdict.SHIFTED))
                .toList();
        add(parts, "B divides its CPU differently among the processes over {}", shifted);
        List<String> equal =
                neither.stream().filter(row -> !shifted.contains(row)).toList();
        add(parts, "{} %s equal within the noise".formatted(equal.size() == 1 ? "is" : "are"), equal);
        return Sentence.joined("; ", parts).then(".");
    }

    private static void add(List<Sentence> parts, String pattern, List<String> rows) {
        if (!rows.isEmpty()) {
            parts.add(Sentence.of(pattern, Sentence.rows(rows)));
        }
    }

    private static List<String> rows(Map<String, Set<Verdict>> verdicts, boolean better, boolean worse) {
        return verdicts.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty()
                        && entry.getValue().contains(Verdict.BETTER) == better
                        && entry.getValue().contains(Verdict.WORSE) == worse)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** By how much, over one row. */
    private static Optional<Sentence> details(String row, List<FigureDifference> judged) {
        List<String> parts = new ArrayList<>();
        List<String> where = new ArrayList<>();
        for (Metric metric : RunPair.METRICS) {
            List<FigureDifference> own = judged.stream()
                    .filter(difference -> difference.row().equals(row) && difference.metric() == metric)
                    .toList();
            for (Verdict verdict : List.of(Verdict.BETTER, Verdict.WORSE)) {
                List<FigureDifference> such = own.stream()
                        .filter(difference -> difference.verdict() == verdict)
                        .toList();
                if (!such.isEmpty()) {
                    parts.add(words(metric)
                            .formatted(range(
                                    such.stream().map(FigureDifference::ratio).toList())));
                    where.add(
                            such.size() < own.size()
                                    ? " at %d of %d workloads".formatted(such.size(), own.size())
                                    : own.size() == 1 ? "" : " at all %d workloads".formatted(own.size()));
                }
            }
        }
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        boolean alike = where.stream().distinct().count() == 1;
        List<String> said = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            said.add(alike ? parts.get(i) : parts.get(i) + where.get(i));
        }
        return Optional.of(
                Sentence.of("Over {}{} B {}.", Sentence.row(row), alike ? where.get(0) : "", Sentence.words(said)));
    }

    /** Which process takes a larger part of a call's CPU whose sum is within the noise, over one row. */
    private List<Sentence> shifts(String row) {
        List<RunPair.CellPair> judged = runs.pairs(row).stream()
                .filter(pair -> pair.difference(Metric.CPU).verdict().isJudged())
                .toList();
        Map<String, List<PartShift.Part>> grown = judged.stream()
                .filter(pair -> pair.difference(Metric.CPU).verdict() == Verdict.SHIFTED)
                .flatMap(pair -> pair.shift().flatMap(PartShift::grown).stream())
                .collect(Collectors.groupingBy(PartShift.Part::role, TreeMap::new, Collectors.toList()));
        return grown.entrySet().stream()
                .map(entry -> Sentence.of(
                        "Over {} the {} takes a larger part of a call's CPU at {} of {}: either it costs more, so that a call"
                                + " costs {} times as much, or the others cost less, and a call {} times as much.",
                        Sentence.row(row),
                        entry.getKey(),
                        entry.getValue().size(),
                        Numbers.counted(judged.size(), "workload"),
                        range(entry.getValue().stream()
                                .map(PartShift.Part::ifItChanged)
                                .toList()),
                        range(entry.getValue().stream()
                                .map(PartShift.Part::ifTheOthersChanged)
                                .toList())))
                .toList();
    }

    private static String words(Metric metric) {
        return switch (metric) {
            case CALLS, REQUESTS -> "makes %s times the calls/s";
            case CPU -> "needs %s times the CPU per call";
            case REQUEST_P50 -> "takes %s times as long at p50";
            case REQUEST_P99, CALL_P99 -> "takes %s times as long at p99";
        };
    }

    private static String range(List<Double> ratios) {
        String least = Numbers.ratio(Collections.min(ratios));
        String most = Numbers.ratio(Collections.max(ratios));
        return least.equals(most) ? least : least + " to " + most;
    }

    /** What makes two runs no pair. */
    List<Sentence> warnings() {
        List<Sentence> warnings = new ArrayList<>();
        warn(warnings, "A", runs.a());
        warn(warnings, "B", runs.b());
        runs.pairs().stream()
                .filter(pair -> Math.abs(arrivals(pair.b()) / arrivals(pair.a()) - 1) > Metric.CALLS.floorBetweenRuns())
                .findFirst()
                .ifPresent(pair -> warnings.add(Sentence.of(
                        "In the open model each run took shares of its own capacity, and these differ: {} at {} had {} in A"
                                + " and {} in B.",
                        Sentence.row(pair.a().row()),
                        Axis.brief(pair.a().workload()),
                        ChartData.arrivals(pair.a()),
                        ChartData.arrivals(pair.b()))));
        List<Sentence> machine = runs.rows().stream()
                .filter(row -> Noise.isOtherMachine(runs.machine(row)))
                .map(row ->
                        Sentence.of("{} times as much over {}", Numbers.ratio(runs.machine(row)), Sentence.row(row)))
                .toList();
        if (!machine.isEmpty()) {
            warnings.add(Sentence.of(
                    "The machine was not equally fast: the load generator's work, which is the same for a call in both, cost {}"
                            + " in B. Beside chance, a difference counts only beyond that, and latencies are not judged.",
                    Sentence.list(machine)));
        }
        return warnings;
    }

    private static double arrivals(Cell cell) {
        return Numbers.orNaN(cell.arrivalRate());
    }

    private static void warn(List<Sentence> warnings, String which, MeasuredRun run) {
        if (run.results().interrupted()) {
            warnings.add(Sentence.text(which + " was interrupted."));
        }
        List<Cell> invalid = run.invalidCells();
        if (!invalid.isEmpty()) {
            warnings.add(Sentence.of(
                    "{} has {} not valid and not judged: {}.",
                    which,
                    invalid.size() == 1 ? "1 cell that is" : invalid.size() + " cells that are",
                    RunPair.brief(invalid)));
        }
    }
}
