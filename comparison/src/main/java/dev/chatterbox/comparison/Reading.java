package dev.chatterbox.comparison;

import dev.chatterbox.cli.Http;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the aggregator and a responder had counted at one moment, for one transport.
 *
 * @param uptime seconds of the aggregator's life at that moment, by its own clock: how late the answer came does not matter
 * @param outcomes calls by outcome
 * @param latency of calls, whatever their outcome
 * @param longest call of the last minutes, in seconds
 * @param unmatched replies that came for no call
 * @param squares requests that the responder received
 * @param allocated bytes by each service's JVM so far
 */
record Reading(
        double uptime,
        Map<String, Double> outcomes,
        Histogram latency,
        double longest,
        double unmatched,
        double squares,
        @Nullable Double allocatedByAggregator,
        @Nullable Double allocatedByResponder) {

    static final String OK = "ok";

    private static final String CALLS = "chatterbox_calls_seconds";

    /** Only what is needed: all of it is three times as long. */
    private static final String PATH =
            "/actuator/prometheus?includedNames=chatterbox_calls_seconds,chatterbox_replies_unmatched,chatterbox_squares,"
                    + "jvm_gc_memory_allocated_bytes,jvm_memory_used_bytes,process_uptime_seconds";

    static Reading take(Target target, String transport) throws IOException {
        return of(
                scrape(target.aggregator().port()),
                scrape(target.transport(transport).responder().port()),
                transport);
    }

    private static Prometheus scrape(int port) throws IOException {
        Http.Answer answer = Http.get(port, PATH);
        if (answer.status() != 200) {
            throw new IOException("port %d answered %d to %s".formatted(port, answer.status(), PATH));
        }
        return Prometheus.parse(answer.body());
    }

    static Reading of(Prometheus aggregator, Prometheus responder, String transport) {
        Map<String, Double> outcomes = new TreeMap<>();
        aggregator
                .named(CALLS + "_count")
                .filter(sample -> sample.label("transport").equals(transport))
                .forEach(sample -> outcomes.merge(sample.label("outcome"), sample.value(), Double::sum));
        return new Reading(
                aggregator.sum("process_uptime_seconds", sample -> true),
                outcomes,
                Histogram.of(aggregator
                        .named(CALLS + "_bucket")
                        .filter(sample -> sample.label("transport").equals(transport))),
                aggregator
                        .named(CALLS + "_max")
                        .filter(sample -> sample.label("transport").equals(transport))
                        .mapToDouble(Prometheus.Sample::value)
                        .max()
                        .orElse(0),
                aggregator.sum(
                        "chatterbox_replies_unmatched_total",
                        sample -> sample.label("transport").equals(transport)),
                responder.sum(
                        "chatterbox_squares_total",
                        sample -> sample.label("transport").equals(transport)),
                allocated(aggregator),
                allocated(responder));
    }

    /**
     * What the JVM's counter knows, which stands still between two collections, and what lies in Eden since the last: exact to a
     * region of G1 (1 MB), but for objects larger than half a region, which never are in Eden.
     */
    private static @Nullable Double allocated(Prometheus jvm) {
        if (jvm.named("jvm_gc_memory_allocated_bytes_total").findAny().isEmpty()) {
            return null;
        }
        return jvm.sum("jvm_gc_memory_allocated_bytes_total", sample -> true)
                + jvm.sum("jvm_memory_used_bytes", sample -> sample.label("id").contains("Eden"));
    }

    double calls() {
        return outcomes.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Calls by outcome, those that there were. */
    Map<String, Long> whole() {
        Map<String, Long> whole = new TreeMap<>();
        outcomes.forEach((outcome, count) -> {
            if (count > 0) {
                whole.put(outcome, Math.round(count));
            }
        });
        return whole;
    }

    double callsOf(String outcome) {
        return outcomes.getOrDefault(outcome, 0.0);
    }

    /** What was counted since an earlier reading; the longest call stays that of the last minutes. */
    Reading since(Reading earlier) {
        Map<String, Double> difference = new TreeMap<>();
        outcomes.forEach((outcome, count) -> difference.put(outcome, count - earlier.callsOf(outcome)));
        return new Reading(
                uptime - earlier.uptime,
                difference,
                latency.since(earlier.latency),
                longest,
                unmatched - earlier.unmatched,
                squares - earlier.squares,
                difference(allocatedByAggregator, earlier.allocatedByAggregator),
                difference(allocatedByResponder, earlier.allocatedByResponder));
    }

    private static @Nullable Double difference(@Nullable Double now, @Nullable Double then) {
        return now == null || then == null ? null : Double.valueOf(now - then);
    }
}
