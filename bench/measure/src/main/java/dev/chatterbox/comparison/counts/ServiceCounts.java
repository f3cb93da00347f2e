package dev.chatterbox.comparison.counts;

import dev.chatterbox.comparison.counts.Prometheus.Sample;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the services of a stack had counted at one moment, while nothing was under way.
 *
 * @param outcomes calls by variant and outcome: each number to square is one call, however many a message carries
 * @param messages the messages that carried these calls, by variant
 * @param unmatched replies that came for no call, by variant
 * @param squares the numbers that each responder received, whatever their outcome
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

    /** The counters of calls, which only an aggregator has, and of squares, which only responders have. */
    public static final String CALLS = "chatterbox_inputs_total";

    public static final String SQUARES = "chatterbox_squares_total";

    private static final String MESSAGES = "chatterbox_calls_seconds_count";
    private static final String UNMATCHED = "chatterbox_replies_unmatched_total";
    private static final String FAULTS = "chatterbox_faults";

    /** The names of the samples that {@link #of(Collection)} needs. */
    public static final List<String> NAMES = List.of(CALLS, MESSAGES, UNMATCHED, SQUARES, FAULTS);

    private static final String SPRING = "/actuator/prometheus";

    /** Asks only for the needed metrics, because all of them are three times as long. */
    private static final String NEEDED = "?includedNames=chatterbox_inputs,chatterbox_calls_seconds,"
            + "chatterbox_replies_unmatched,chatterbox_squares,chatterbox_faults";

    /** @throws IOException a service does not answer */
    public static ServiceCounts of(Target target) throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (Member process : target.aggregator().processes()) {
            samples.addAll(scrape(process.port(), SPRING));
        }
        Map<String, Double> shares = new TreeMap<>();
        Set<String> responders = new HashSet<>();
        for (Target.VariantTarget variant : target.variants()) {
            if (variant.responder().isEmpty()
                    || !responders.add(variant.responder().get().name())) {
                continue;
            }
            Target.Service responder = variant.responder().get();
            for (Member process : responder.processes()) {
                List<Sample> own = scrape(process.port(), variant.metrics().orElse(SPRING)).stream()
                        .filter(sample -> !sample.name().equals(SQUARES)
                                || sample.label("responder").equals(responder.name()))
                        .map(sample -> sample.with("process", responder.name()))
                        .toList();
                samples.addAll(own);
                if (responder.processes().size() > 1) {
                    shares.put(process.name(), of(own).squares().getOrDefault(responder.name(), 0.0));
                }
            }
        }
        ServiceCounts counts = of(samples);
        responders.forEach(responder -> counts.squares.putIfAbsent(responder, 0.0));
        counts.shares.putAll(shares);
        return counts;
    }

    /** @param samples of all processes; those with other names are ignored, and faults bear the name of the process */
    public static ServiceCounts of(Collection<Sample> samples) {
        ServiceCounts counts = new ServiceCounts(
                new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>(), new TreeMap<>(), new TreeMap<>());
        for (Sample sample : samples) {
            String variant = sample.label("transport");
            switch (sample.name()) {
                case CALLS ->
                    counts.outcomes
                            .computeIfAbsent(variant, none -> new TreeMap<>())
                            .merge(sample.label("outcome"), sample.value(), Double::sum);
                case MESSAGES -> counts.messages.merge(variant, sample.value(), Double::sum);
                case UNMATCHED -> counts.unmatched.merge(variant, sample.value(), Double::sum);
                case SQUARES -> {
                    // The answers that could not be sent have been counted as squares before.
                    if (!sample.label("outcome").equals("undeliverable")) {
                        counts.squares.merge(sample.label("responder"), sample.value(), Double::sum);
                    }
                }
                case FAULTS -> {
                    if (sample.value() != 0) {
                        counts.faults.merge(
                                sample.label("process"),
                                fault(sample),
                                (text, more) -> text.contains(more) ? text : text + ", " + more);
                    }
                }
                default -> {}
            }
        }
        return counts;
    }

    private static String fault(Sample sample) {
        String fault = sample.label("fault");
        return "%s %s%s"
                .formatted(
                        fault,
                        BigDecimal.valueOf(sample.value()).stripTrailingZeros().toPlainString(),
                        fault.equals("delay") ? " s" : "");
    }

    private static List<Sample> scrape(int port, String path) throws IOException {
        // A responder in another language may not know this parameter, or not even the path with a parameter.
        LocalHttp.Answer answer = LocalHttp.get(port, path.equals(SPRING) ? SPRING + NEEDED : path);
        if (answer.status() != 200) {
            throw new IOException("port %d answered %d to %s".formatted(port, answer.status(), path));
        }
        return Prometheus.samples(answer.body());
    }

    /** What was counted since an earlier reading; the faults are those of both. */
    public ServiceCounts since(ServiceCounts earlier) {
        Map<String, Map<String, Double>> difference = new HashMap<>();
        outcomes.forEach((variant, counts) ->
                difference.put(variant, minus(counts, earlier.outcomes.getOrDefault(variant, Map.of()))));
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

    /** Calls over a variant, whatever their outcome. */
    public double calls(String variant) {
        return outcomes.getOrDefault(variant, Map.of()).values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }
}
