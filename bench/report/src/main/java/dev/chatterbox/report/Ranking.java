package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rows under one workload, the best first.
 *
 * @param entries those with a valid cell and a figure
 * @param invalid those whose cell is not valid; never ranked
 * @param unranked those whose cell is valid and shown, and not ranked
 * @param missing those with a valid cell without this figure
 */
record Ranking(
        Metric metric,
        Workload workload,
        List<Entry> entries,
        List<String> invalid,
        List<String> unranked,
        List<String> missing) {

    record Entry(String row, Figure figure) {}

    static Ranking of(MeasuredRun run, Metric metric, Workload workload) {
        List<Entry> entries = new ArrayList<>();
        List<String> invalid = new ArrayList<>();
        List<String> unranked = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String row : run.rows()) {
            run.cell(row, workload).ifPresent(cell -> {
                Figure figure = metric.of(cell);
                if (!cell.valid()) {
                    invalid.add(row);
                } else if (figure.exists() && isUnranked(metric, cell)) {
                    unranked.add(row);
                } else if (figure.exists()) {
                    entries.add(new Entry(row, figure));
                } else {
                    missing.add(row);
                }
            });
        }
        Comparator<Entry> ascending =
                Comparator.comparingDouble(entry -> entry.figure().median());
        entries.sort(metric.moreIsBetter() ? ascending.reversed() : ascending);
        return new Ranking(
                metric,
                workload,
                List.copyOf(entries),
                List.copyOf(invalid),
                List.copyOf(unranked),
                List.copyOf(missing));
    }

    /** Also where each row has a rate of its own: what it does at that says nothing of the others. */
    private static boolean isUnranked(Metric metric, Cell cell) {
        return cell.workload().load() instanceof Load.Share
                || !metric.notRanked(cell).isEmpty();
    }

    /** Whether there are rounds enough to tell a difference from chance. */
    boolean judged() {
        return entries.stream().allMatch(entry -> entry.figure().rounds().length >= Noise.LEAST_ROUNDS);
    }

    /** The best, and all that are too close to it to be told apart. Without enough rounds, the best alone. */
    List<Entry> leaders() {
        return entries.stream()
                .filter(entry -> entry == entries.get(0)
                        || judged() && Noise.tooClose(entries.get(0).figure(), entry.figure()))
                .toList();
    }

    List<Entry> others() {
        List<Entry> leaders = leaders();
        return entries.stream().filter(entry -> !leaders.contains(entry)).toList();
    }

    /** The best first. */
    List<String> leading() {
        return leaders().stream().map(Entry::row).toList();
    }

    /** How many times as good the best is. */
    double times(Entry other) {
        return Noise.distance(entries.get(0).figure(), other.figure()) + 1;
    }
}
