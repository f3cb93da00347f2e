package dev.chatterbox.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cell with all its rounds, as {@code results.json} has it. Only valid rounds count for median and spread. */
public record CellResult(
        String transport,
        String kind,
        String model,
        int calls,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer users,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double rate,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double load,
        boolean valid,
        List<Round> rounds,
        Median median,
        Spread spread) {

    static final String TOTAL = "total";

    record Median(
            @Nullable Double requestsPerSecond,
            @Nullable Double callsPerSecond,
            Latency requestLatency,
            Latency callLatency,
            Map<String, @Nullable Double> cpu,
            Map<String, @Nullable Double> allocatedBytesPerCall,
            Map<String, Round.MemoryUse> memory) {}

    /** (max − min) / median. */
    record Spread(
            @Nullable Double requestsPerSecond,
            @Nullable Double cpuTotal,
            @Nullable Double requestLatencyP99) {}

    static CellResult of(Cell cell, String kind, List<Round> rounds) {
        List<Round> valid = rounds.stream().filter(Round::valid).toList();
        // Figures of what failed are shown, in red, but never beside those of rounds that count.
        List<Round> counted = valid.isEmpty() ? rounds : valid;
        Map<String, @Nullable Double> cpu = medians(counted, Round::cpu);
        cpu.put(TOTAL, Statistics.median(totals(counted)));
        return new CellResult(
                cell.transport(),
                kind,
                cell.model(),
                cell.calls(),
                cell.users(),
                Statistics.rounded(cell.rate()),
                cell.load(),
                !rounds.isEmpty() && valid.size() == rounds.size(),
                List.copyOf(rounds),
                new Median(
                        Statistics.median(values(counted, Round::requestsPerSecond)),
                        Statistics.median(values(counted, Round::callsPerSecond)),
                        Latency.median(
                                counted.stream().map(Round::requestLatency).toList()),
                        Latency.median(counted.stream().map(Round::callLatency).toList()),
                        cpu,
                        medians(counted, Round::allocatedBytesPerCall),
                        memory(counted)),
                new Spread(
                        Statistics.spread(values(counted, Round::requestsPerSecond)),
                        Statistics.spread(totals(counted)),
                        Statistics.spread(
                                values(counted, round -> round.requestLatency().p99()))));
    }

    /** Whether the result is of this cell. */
    boolean isOf(Cell cell) {
        return transport.equals(cell.transport())
                && calls == cell.calls()
                && Objects.equals(users, cell.users())
                && Objects.equals(load, cell.load());
    }

    /** Every reason of every round, once. */
    Set<String> reasons() {
        Set<String> reasons = new LinkedHashSet<>();
        rounds.forEach(round -> reasons.addAll(round.reasons()));
        return reasons;
    }

    private static List<@Nullable Double> totals(List<Round> rounds) {
        return values(rounds, round -> Statistics.sum(round.cpu().values()));
    }

    private static List<@Nullable Double> values(List<Round> rounds, Function<Round, @Nullable Double> value) {
        List<@Nullable Double> values = new ArrayList<>();
        rounds.forEach(round -> values.add(value.apply(round)));
        return values;
    }

    private static Map<String, @Nullable Double> medians(
            List<Round> rounds, Function<Round, Map<String, @Nullable Double>> figures) {
        Map<String, @Nullable Double> medians = new LinkedHashMap<>();
        for (String key : keys(rounds, figures)) {
            medians.put(
                    key,
                    Statistics.median(
                            values(rounds, round -> figures.apply(round).get(key))));
        }
        return medians;
    }

    private static Map<String, Round.MemoryUse> memory(List<Round> rounds) {
        Map<String, Round.MemoryUse> medians = new LinkedHashMap<>();
        for (String role : keys(rounds, Round::memory)) {
            medians.put(
                    role,
                    new Round.MemoryUse(
                            bytes(rounds, role, Round.MemoryUse::idleBytes),
                            bytes(rounds, role, Round.MemoryUse::peakBytes)));
        }
        return medians;
    }

    private static @Nullable Long bytes(
            List<Round> rounds, String role, Function<Round.MemoryUse, @Nullable Long> which) {
        Double median = Statistics.median(values(rounds, round -> {
            Round.MemoryUse use = round.memory().get(role);
            Long bytes = use == null ? null : which.apply(use);
            return bytes == null ? null : Double.valueOf(bytes);
        }));
        return median == null ? null : Long.valueOf(Math.round(median));
    }

    private static Set<String> keys(List<Round> rounds, Function<Round, ? extends Map<String, ?>> map) {
        Set<String> keys = new LinkedHashSet<>();
        rounds.forEach(round -> keys.addAll(map.apply(round).keySet()));
        return keys;
    }
}
