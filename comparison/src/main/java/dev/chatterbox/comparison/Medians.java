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

/** From rounds to what they say together: figure by figure the median, and the spread. */
final class Medians {

    private Medians() {}

    /** @param rounds all of the cell; only those that are valid count, or all if none is */
    static Cell cell(CellPlan plan, String kind, List<Round> rounds) {
        Cell unfinished =
                new Cell(plan.row(), kind, plan.workload(), null, false, rounds, Figures.NONE, Cell.Spread.NONE);
        List<Figures> counted =
                unfinished.counted().stream().map(Round::figures).toList();
        return new Cell(
                plan.row(),
                kind,
                plan.workload(),
                Statistics.rounded(plan.arrivalRate()),
                !rounds.isEmpty() && rounds.stream().allMatch(Round::valid),
                List.copyOf(rounds),
                figures(counted),
                new Cell.Spread(
                        Statistics.spread(values(counted, Figures::requestsPerSecond)),
                        Statistics.spread(values(counted, Figures::cpuTotal)),
                        Statistics.spread(
                                values(counted, each -> each.requestLatency().p99()))));
    }

    private static Figures figures(List<Figures> rounds) {
        return new Figures(
                median(rounds, Figures::requestsPerSecond),
                median(rounds, Figures::callsPerSecond),
                latency(rounds, Figures::requestLatency),
                latency(rounds, Figures::callLatency),
                byRole(rounds, Figures::cpu),
                median(rounds, Figures::cpuTotal),
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
                        median(rounds, RawLimit.Reached::cpuTotal)),
                Statistics.spread(values(rounds, RawLimit.Reached::callsPerSecond)));
    }

    private static Latency latency(List<Figures> rounds, Function<Figures, Latency> which) {
        List<Latency> latencies = rounds.stream().map(which).toList();
        return new Latency(
                median(latencies, Latency::p50),
                median(latencies, Latency::p90),
                median(latencies, Latency::p95),
                median(latencies, Latency::p99),
                median(latencies, Latency::max));
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
