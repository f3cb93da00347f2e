package dev.chatterbox.report.prediction;

import dev.chatterbox.workloads.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What was measured of a row, and so how far a prediction may go: {@value #REACH} times as far.
 *
 * @param most by what is counted, in words
 */
record Range(Set<Exchange> exchanges, Map<String, Double> most) {

    private static final double REACH = 2;

    static final String CALLS = "calls a request";
    static final String SIZE = "calls a message";
    static final String PAYLOAD = "bytes of payload";
    static final String RATE = "requests a second";

    private static final Map<String, ToDoubleFunction<Workload>> COUNTED = new TreeMap<>(Map.of(
            CALLS,
            Workload::calls,
            SIZE,
            Workload::size,
            PAYLOAD,
            Workload::payloadBytes,
            "milliseconds of distance",
            Workload::distanceMillis,
            RATE,
            Range::rate,
            "messages a second",
            workload -> rate(workload) * workload.messages(),
            "calls a second",
            workload -> rate(workload) * workload.calls()));

    static Range of(List<Workload> measured) {
        Set<Exchange> exchanges = EnumSet.noneOf(Exchange.class);
        measured.forEach(workload -> exchanges.add(workload.exchange()));
        Map<String, Double> most = new TreeMap<>();
        COUNTED.forEach((what, count) ->
                most.put(what, measured.stream().mapToDouble(count).max().orElse(0)));
        return new Range(exchanges, most);
    }

    static double rate(Workload workload) {
        return ((Load.Rate) workload.load()).perSecond();
    }

    /** Why nothing can be said of a workload; empty where it can. */
    Optional<String> refuses(Workload workload) {
        if (!exchanges.contains(workload.exchange())) {
            return Optional.of("%s was not measured in the open model"
                    .formatted(workload.exchange().text()));
        }
        return COUNTED.entrySet().stream()
                .filter(counted -> counted.getValue().applyAsDouble(workload) > reach(counted.getKey()))
                .findFirst()
                .map(counted -> "%s %s are more than twice what was measured, %s"
                        .formatted(
                                number(counted.getValue().applyAsDouble(workload)),
                                counted.getKey(),
                                number(most.getOrDefault(counted.getKey(), 0.0))));
    }

    /** @param what one of what is counted */
    double reach(String what) {
        return REACH * most.getOrDefault(what, 0.0);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
