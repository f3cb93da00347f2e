package dev.chatterbox.report.prediction;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What was measured of a row, and so how far a prediction may go: to {@value #REACH} times what was measured, and to a
 * distance at which calls still keep their deadline.
 *
 * @param most the largest measured values by exchange and by name; an exchange that cannot be predicted is missing
 */
public record Range(Map<Exchange, Map<String, Double>> most, RowPath path) {

    private static final double REACH = 2;

    /** Rates within this factor say the same, such as those of two runs that ask for one share of a capacity. */
    public static final double SAME_RATE = 1.2;

    public static final String CALLS = "calls a request";
    public static final String SIZE = "calls a message";
    public static final String PAYLOAD = "bytes of payload";
    public static final String RATE = "requests a second";

    private record Counted(String what, ToDoubleFunction<Workload> count) {}

    /**
     * What is counted: bytes, which cost the same by all exchanges, and things that each exchange does in its own way.
     */
    private static final List<Counted> COUNTED = List.of(
            new Counted("bytes a message", workload -> size(workload) * workload.payloadBytes()),
            new Counted("bytes a request", workload -> (double) workload.calls() * workload.payloadBytes()),
            new Counted("bytes a second", workload -> rate(workload) * workload.calls() * workload.payloadBytes()),
            new Counted(PAYLOAD, Workload::payloadBytes),
            new Counted(SIZE, Range::size),
            new Counted(CALLS, Workload::calls),
            new Counted("calls a second", workload -> rate(workload) * workload.calls()),
            new Counted("messages a second", workload -> rate(workload) * workload.messages()),
            new Counted(RATE, Range::rate));

    /** @param exchanges the exchanges that can be predicted */
    static Range of(List<Workload> measured, Set<Exchange> exchanges, RowPath path) {
        Map<Exchange, Map<String, Double>> most = new EnumMap<>(Exchange.class);
        for (Exchange exchange : exchanges) {
            Map<String, Double> own = new TreeMap<>();
            for (Counted counted : COUNTED) {
                own.put(
                        counted.what,
                        measured.stream()
                                .filter(one -> counted.what.startsWith("bytes") || one.exchange() == exchange)
                                .mapToDouble(counted.count)
                                .max()
                                .orElse(0));
            }
            most.put(exchange, own);
        }
        return new Range(most, path);
    }

    static double rate(Workload workload) {
        return ((Load.Rate) workload.load()).perSecond();
    }

    private static double size(Workload workload) {
        return Math.min(workload.size(), workload.calls());
    }

    /** Why a workload cannot be predicted, to stand after "for"; empty if it can. */
    Optional<String> refuses(Workload workload) {
        Map<String, Double> measured = most.getOrDefault(workload.exchange(), Map.of());
        if (measured.isEmpty()) {
            return Optional.of("%s was not measured at three rates"
                    .formatted(workload.exchange().text()));
        }
        if (path.callSeconds(workload) >= path.deadlineSeconds()) {
            return Optional.of("a call would wait %s ms for the distance alone, and its deadline is %s ms"
                    .formatted(number(1e3 * path.callSeconds(workload)), number(1e3 * path.deadlineSeconds())));
        }
        return COUNTED.stream()
                .filter(counted ->
                        counted.count.applyAsDouble(workload) > REACH * measured.getOrDefault(counted.what, 0.0))
                .findFirst()
                .map(counted -> "%s %s are more than twice what was measured, %s"
                        .formatted(
                                number(counted.count.applyAsDouble(workload)),
                                counted.what,
                                number(measured.getOrDefault(counted.what, 0.0))));
    }

    /** The largest value of one counted thing that can be predicted. */
    double reach(String what) {
        return REACH
                * most.values().stream()
                        .mapToDouble(own -> own.getOrDefault(what, 0.0))
                        .max()
                        .orElse(0);
    }

    /** The longest distance that can be predicted, in milliseconds; 0 if the row has no link. */
    double longestDistance() {
        return path.links() == 0 ? 0 : 1e3 * path.deadlineSeconds() / path.links();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
