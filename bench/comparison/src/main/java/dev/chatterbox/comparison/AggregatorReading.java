package dev.chatterbox.comparison;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the aggregator had counted for one row at one moment.
 *
 * @param uptime seconds of the aggregator's life at that moment, by its own clock: how late the answer came does not
 *     matter
 * @param outcomes calls by outcome: each number that was to be squared is one, however many a message carries
 * @param messages that carried them, whatever their outcome
 * @param latency of messages, whatever their outcome; null if it was not asked for, or the aggregator does not tell
 * @param unmatched replies that came for no call
 * @param allocated bytes by the JVM so far; null if it does not tell
 */
record AggregatorReading(
        String row,
        double uptime,
        Map<String, Double> outcomes,
        double messages,
        @Nullable LatencyBuckets latency,
        double unmatched,
        @Nullable Double allocated) {

    static final String OK = "ok";

    private static final String INPUTS = "chatterbox_inputs_total";
    private static final String MESSAGES = "chatterbox_calls_seconds_count";

    static AggregatorReading of(Prometheus figures, String row, @Nullable LatencyBuckets latency) {
        Map<String, Double> outcomes = new TreeMap<>();
        figures.named(INPUTS)
                .filter(sample -> isOf(sample, row))
                .forEach(sample -> outcomes.merge(sample.label("outcome"), sample.value(), Double::sum));
        return new AggregatorReading(
                row,
                figures.sum("process_uptime_seconds", sample -> true),
                outcomes,
                figures.sum(MESSAGES, sample -> isOf(sample, row)),
                latency,
                figures.sum("chatterbox_replies_unmatched_total", sample -> isOf(sample, row)),
                figures.allocatedBytes());
    }

    private static boolean isOf(Prometheus.Sample sample, String row) {
        return sample.label("transport").equals(row);
    }

    double calls() {
        return outcomes.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    double callsOf(String outcome) {
        return outcomes.getOrDefault(outcome, 0.0);
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

    /** What was counted since an earlier reading. */
    AggregatorReading since(AggregatorReading earlier) {
        Map<String, Double> difference = new TreeMap<>();
        outcomes.forEach((outcome, count) -> difference.put(outcome, count - earlier.callsOf(outcome)));
        return new AggregatorReading(
                row,
                uptime - earlier.uptime,
                difference,
                messages - earlier.messages,
                latency == null || earlier.latency == null ? null : latency.since(earlier.latency),
                unmatched - earlier.unmatched,
                Statistics.difference(allocated, earlier.allocated));
    }
}
