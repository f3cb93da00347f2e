package dev.chatterbox.comparison.counts;

import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the services of a stack had counted at one moment, while nothing was under way.
 *
 * @param outcomes calls by row and outcome: each number to square is one call, however many a message carries
 * @param messages the messages that carried these calls, by row
 * @param unmatched replies that came for no call, by row
 * @param squares the numbers that each responder received, whatever became of them
 * @param shares the part of these numbers that each process received, by its name, where a responder has several
 * @param faults what responders do wrong on demand, as text; only responders that do so
 */
public record ServiceCounts(
        Map<String, Map<String, Double>> outcomes,
        Map<String, Double> messages,
        Map<String, Double> unmatched,
        Map<String, Double> squares,
        Map<String, Double> shares,
        Map<String, String> faults) {

    public static final String OK = "ok";

    private static final String SPRING = "/actuator/prometheus";

    /** Asks only for the needed metrics, because all of them are three times as long. */
    private static final String NEEDED = "?includedNames=chatterbox_inputs,chatterbox_calls_seconds,"
            + "chatterbox_replies_unmatched,chatterbox_squares,chatterbox_faults";

    /** @throws IOException a service does not answer */
    public static ServiceCounts of(Target target) throws IOException {
        Map<String, Map<String, Double>> outcomes = new HashMap<>();
        Map<String, Double> messages = new HashMap<>();
        Map<String, Double> unmatched = new HashMap<>();
        for (Member process : target.aggregator().processes()) {
            Prometheus aggregator = scrape(process.port(), SPRING);
            aggregator
                    .named("chatterbox_inputs_total")
                    .forEach(sample -> outcomes.computeIfAbsent(sample.label("transport"), row -> new TreeMap<>())
                            .merge(sample.label("outcome"), sample.value(), Double::sum));
            addByRow(messages, aggregator, "chatterbox_calls_seconds_count");
            addByRow(unmatched, aggregator, "chatterbox_replies_unmatched_total");
        }
        Map<String, Double> squares = new HashMap<>();
        Map<String, Double> shares = new TreeMap<>();
        Map<String, String> faults = new TreeMap<>();
        for (Target.RowTarget row : target.rows()) {
            if (row.responder().isEmpty()
                    || squares.containsKey(row.responder().get().name())) {
                continue;
            }
            Target.Service responder = row.responder().get();
            squares.put(responder.name(), 0.0);
            for (Member process : responder.processes()) {
                Prometheus figures = scrape(process.port(), row.metrics().orElse(SPRING));
                double received = figures.sum(
                        "chatterbox_squares_total",
                        sample -> sample.label("responder").equals(responder.name()));
                squares.merge(responder.name(), received, Double::sum);
                if (responder.processes().size() > 1) {
                    shares.put(process.name(), received);
                }
                String text = figures.named("chatterbox_faults")
                        .filter(sample -> sample.value() != 0)
                        .map(ServiceCounts::fault)
                        .sorted()
                        .collect(Collectors.joining(", "));
                if (!text.isEmpty()) {
                    faults.merge(responder.name(), text, (one, other) -> one.equals(other) ? one : one + ", " + other);
                }
            }
        }
        return new ServiceCounts(outcomes, messages, unmatched, squares, shares, faults);
    }

    private static void addByRow(Map<String, Double> sums, Prometheus figures, String name) {
        figures.named(name).forEach(sample -> sums.merge(sample.label("transport"), sample.value(), Double::sum));
    }

    private static String fault(Prometheus.Sample sample) {
        String fault = sample.label("fault");
        return "%s %s%s"
                .formatted(
                        fault,
                        BigDecimal.valueOf(sample.value()).stripTrailingZeros().toPlainString(),
                        fault.equals("delay") ? " s" : "");
    }

    private static Prometheus scrape(int port, String path) throws IOException {
        // A responder in another language may not know this parameter, or not even the path with a parameter.
        LocalHttp.Answer answer = LocalHttp.get(port, path.equals(SPRING) ? SPRING + NEEDED : path);
        if (answer.status() != 200) {
            throw new IOException("port %d answered %d to %s".formatted(port, answer.status(), path));
        }
        return Prometheus.parse(answer.body());
    }

    /** What was counted since an earlier reading; the faults are those of both. */
    public ServiceCounts since(ServiceCounts earlier) {
        Map<String, Map<String, Double>> difference = new HashMap<>();
        outcomes.forEach((row, counts) ->
                difference.put(row, minus(counts, earlier.outcomes.getOrDefault(row, Map.of()))));
        Map<String, String> both = new TreeMap<>(earlier.faults);
        both.putAll(faults);
        return new ServiceCounts(
                difference,
                minus(messages, earlier.messages),
                minus(unmatched, earlier.unmatched),
                minus(squares, earlier.squares),
                minus(shares, earlier.shares),
                both);
    }

    private static Map<String, Double> minus(Map<String, Double> now, Map<String, Double> earlier) {
        Map<String, Double> difference = new TreeMap<>();
        now.forEach((key, value) -> difference.put(key, value - earlier.getOrDefault(key, 0.0)));
        return difference;
    }

    /** Calls over a row, whatever became of them. */
    public double calls(String row) {
        return outcomes.getOrDefault(row, Map.of()).values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }
}
