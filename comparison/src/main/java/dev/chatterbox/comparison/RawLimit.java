package dev.chatterbox.comparison;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a bare client reached over a transport, as {@code results.json} has it. */
public record RawLimit(
        String transport,
        boolean valid,
        List<String> reasons,
        int inFlight,
        List<RawRound> rounds,
        RawRound median,
        Spread spread) {

    /** @param cpu microseconds per call, by role */
    record RawRound(@Nullable Double callsPerSecond, Map<String, @Nullable Double> cpu) {}

    record Spread(@Nullable Double callsPerSecond) {}

    static RawLimit of(String transport, int inFlight, List<RawRound> rounds, List<String> reasons) {
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        for (RawRound round : rounds) {
            for (String role : round.cpu().keySet()) {
                cpu.putIfAbsent(
                        role,
                        Statistics.median(values(rounds, each -> each.cpu().get(role))));
            }
        }
        cpu.put(
                CellResult.TOTAL,
                Statistics.median(
                        values(rounds, round -> Statistics.sum(round.cpu().values()))));
        List<@Nullable Double> throughput = values(rounds, RawRound::callsPerSecond);
        return new RawLimit(
                transport,
                reasons.isEmpty() && !rounds.isEmpty(),
                List.copyOf(reasons),
                inFlight,
                List.copyOf(rounds),
                new RawRound(Statistics.median(throughput), cpu),
                new Spread(Statistics.spread(throughput)));
    }

    private static List<@Nullable Double> values(List<RawRound> rounds, Function<RawRound, @Nullable Double> value) {
        List<@Nullable Double> values = new ArrayList<>();
        rounds.forEach(round -> values.add(value.apply(round)));
        return values;
    }
}
