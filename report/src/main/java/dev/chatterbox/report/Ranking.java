package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The transports under one load, the best first.
 *
 * @param entries those with a valid cell and a figure
 * @param invalid those whose cell is not valid; never ranked
 * @param missing those with a valid cell without this figure
 */
record Ranking(Metric metric, Load load, List<Entry> entries, List<String> invalid, List<String> missing) {

    record Entry(String transport, Figure figure) {}

    static Ranking of(Results results, Metric metric, Load load) {
        List<Entry> entries = new ArrayList<>();
        List<String> invalid = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String transport : results.transports()) {
            results.cell(transport, load).ifPresent(cell -> {
                Figure figure = cell.figure(metric);
                if (!cell.valid()) {
                    invalid.add(transport);
                } else if (figure.exists()) {
                    entries.add(new Entry(transport, figure));
                } else {
                    missing.add(transport);
                }
            });
        }
        Comparator<Entry> ascending =
                Comparator.comparingDouble(entry -> entry.figure().median());
        entries.sort(metric.better(2, 1) ? ascending.reversed() : ascending);
        return new Ranking(metric, load, List.copyOf(entries), List.copyOf(invalid), List.copyOf(missing));
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

    List<String> leading() {
        return leaders().stream().map(Entry::transport).toList();
    }

    /** How many times as good the best is. */
    double times(Entry other) {
        return Noise.distance(entries.get(0).figure(), other.figure()) + 1;
    }
}
