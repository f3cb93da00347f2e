package dev.chatterbox.comparison;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Round;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * From rounds to what they say together: figure by figure the median and the spread, and the latencies of all their
 * samples.
 */
final class Medians {

    private Medians() {}

    /**
     * @param rounds all of the cell; only those that are valid count, or all if none is
     * @param doubts why the system may not have been warm, in words
     * @param idleCpu processors that the row's system uses when nothing is called; null if unknown
     */
    static Cell cell(
            CellPlan plan, String kind, List<MeasuredRound> rounds, List<String> doubts, @Nullable Double idleCpu) {
        List<Round> all = rounds.stream().map(MeasuredRound::round).toList();
        boolean anyValid = all.stream().anyMatch(Round::valid);
        List<MeasuredRound> counted = rounds.stream()
                .filter(measured -> !anyValid || measured.round().valid())
                .toList();
        List<Figures> each =
                counted.stream().map(measured -> measured.round().figures()).toList();
        Figures together = figures(
                each, merged(counted, MeasuredRound::requestLatency), merged(counted, MeasuredRound::callLatency));
        Cell.Spread spread = new Cell.Spread(
                Statistics.spread(values(each, Figures::requestsPerSecond)),
                Statistics.spread(values(each, Figures::cpuSystem)),
                Statistics.spread(
                        values(each, figures -> figures.requestLatency().p99())),
                Statistics.spread(values(each, figures -> figures.callLatency().p99())));
        return new Cell(
                plan.row(),
                kind,
                plan.workload(),
                Statistics.rounded(plan.arrivalRate()),
                !rounds.isEmpty() && all.stream().allMatch(Round::valid),
                Gates.notRanked(counted.stream().map(MeasuredRound::round).toList(), together, doubts),
                idleShare(together, idleCpu),
                all,
                together,
                spread);
    }

    private static Latency merged(List<MeasuredRound> rounds, Function<MeasuredRound, LatencyBuckets> which) {
        return rounds.stream()
                .map(which)
                .reduce(LatencyBuckets.NONE, LatencyBuckets::with)
                .latency(LatencyBuckets.BEYOND);
    }

    /** What is used anyway, by what is used in the window. */
    private static @Nullable Double idleShare(Figures figures, @Nullable Double idleCpu) {
        Double cpu = figures.cpuSystem();
        Double calls = figures.callsPerSecond();
        return cpu == null || calls == null || idleCpu == null || cpu * calls <= 0
                ? null
                : Statistics.rounded(idleCpu / (cpu * calls / 1e6));
    }

    private static Figures figures(List<Figures> rounds, Latency requests, Latency calls) {
        return new Figures(
                median(rounds, Figures::requestsPerSecond),
                median(rounds, Figures::callsPerSecond),
                requests,
                calls,
                byRole(rounds, Figures::cpu),
                median(rounds, Figures::cpuSystem),
                byRole(rounds, Figures::allocatedBytesPerCall),
                memory(rounds));
    }

    /** @param reasons why it is not valid, if it is not */
    static RawLimit rawLimit(String row, int inFlight, List<RawLimit.Reached> rounds, List<String> reasons) {
        return new RawLimit(
                row,
                reasons.isEmpty() && !rounds.isEmpty(),
                List.copyOf(reasons),
                inFlight,
                List.copyOf(rounds),
                new RawLimit.Reached(
                        median(rounds, RawLimit.Reached::callsPerSecond),
                        byRole(rounds, RawLimit.Reached::cpu),
                        median(rounds, RawLimit.Reached::cpuSystem)),
                Statistics.spread(values(rounds, RawLimit.Reached::callsPerSecond)));
    }

    private static Map<String, Figures.MemoryUse> memory(List<Figures> rounds) {
        Map<String, Figures.MemoryUse> medians = new LinkedHashMap<>();
        for (String role : keys(rounds, Figures::memory)) {
            medians.put(
                    role,
                    new Figures.MemoryUse(
                            bytes(rounds, role, Figures.MemoryUse::idleBytes),
                            bytes(rounds, role, Figures.MemoryUse::peakBytes)));
        }
        return medians;
    }

    private static @Nullable Long bytes(
            List<Figures> rounds, String role, Function<Figures.MemoryUse, @Nullable Long> which) {
        Double median = median(rounds, round -> {
            Figures.MemoryUse use = round.memory().get(role);
            Long bytes = use == null ? null : which.apply(use);
            return bytes == null ? null : Double.valueOf(bytes);
        });
        return median == null ? null : Long.valueOf(Math.round(median));
    }

    private static <T> Map<String, @Nullable Double> byRole(
            List<T> rounds, Function<T, Map<String, @Nullable Double>> figures) {
        Map<String, @Nullable Double> medians = new LinkedHashMap<>();
        for (String role : keys(rounds, figures)) {
            medians.put(role, median(rounds, round -> figures.apply(round).get(role)));
        }
        return medians;
    }

    private static <T> Set<String> keys(List<T> rounds, Function<T, ? extends Map<String, ?>> map) {
        Set<String> keys = new LinkedHashSet<>();
        rounds.forEach(round -> keys.addAll(map.apply(round).keySet()));
        return keys;
    }

    private static <T> @Nullable Double median(List<T> rounds, Function<T, @Nullable Double> value) {
        return Statistics.median(values(rounds, value));
    }

    private static <T> List<@Nullable Double> values(List<T> rounds, Function<T, @Nullable Double> value) {
        List<@Nullable Double> values = new ArrayList<>();
        rounds.forEach(round -> values.add(value.apply(round)));
        return values;
    }
}
