package dev.chatterbox.workloads;

import dev.chatterbox.transport.Exchange;
import java.util.List;
import java.util.Map;

/**
 * The result of a {@link Slice}.
 *
 * @param id the id of the slice
 * @param seconds from its first request to its last answer
 * @param right right answers; throughput is {@code right} divided by {@code seconds}
 * @param failures other requests, by kind: {@code timeout}, {@code connect}, {@code wrong}, {@code http-503} and the
 *     like; {@code unsent} for a request of the open model that found no free user before the slice's end
 * @param unansweredNanos the age of the youngest request without an answer, at which it was given up: no percentile
 *     above it is known; 0 if every request was answered
 * @param latency nanoseconds of every request, unanswered ones with their age: an HdrHistogram, compressed, Base64; in
 *     the open model from the intended start. Empty for a bare client
 * @param busiestThread the part of {@code seconds}, 0 to 1, that the generator's busiest thread spent on a processor
 * @param inFlight calls in flight of a bare client; 0 for the generator
 * @param queue the right answers of a queue, one for each run; empty for other exchanges
 */
public record SliceResult(
        String id,
        double seconds,
        long right,
        Map<String, Long> failures,
        long unansweredNanos,
        String latency,
        double busiestThread,
        int inFlight,
        List<QueueAnswer> queue) {

    static final String VERB = "result";

    public SliceResult {
        failures = Map.copyOf(failures);
        queue = List.copyOf(queue);
    }

    /** The result of another exchange than a queue. */
    public SliceResult(
            String id,
            double seconds,
            long right,
            Map<String, Long> failures,
            long unansweredNanos,
            String latency,
            double busiestThread,
            int inFlight) {
        this(id, seconds, right, failures, unansweredNanos, latency, busiestThread, inFlight, List.of());
    }

    /** How many calls were answered right; in a queue, how many different messages were consumed. */
    public long calls(Workload workload) {
        return workload.exchange() == Exchange.QUEUE
                ? queue.stream().mapToLong(QueueAnswer::consumed).sum()
                : right * workload.calls();
    }

    /** How long the messages of a queue were on their way: without what a run takes to begin and to end; 0 without one. */
    public double messageSeconds() {
        return queue.stream().mapToDouble(QueueAnswer::consumeMillis).sum() / 1e3;
    }

    /** How many requests were not answered right. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The result as a line, for {@link #parse}. */
    String line() {
        return Line.of(
                VERB,
                id,
                seconds,
                right,
                failures,
                unansweredNanos,
                latency,
                busiestThread,
                inFlight,
                queue.stream().map(QueueAnswer::line).toList());
    }

    /** @throws WorkloadException the line is no result */
    static SliceResult parse(String line) {
        Line of = new Line(line, VERB);
        return new SliceResult(
                of.text(),
                of.number(),
                of.whole(),
                of.counts(),
                of.whole(),
                of.text(),
                of.number(),
                (int) of.whole(),
                of.texts().stream().map(QueueAnswer::parse).toList());
    }
}
