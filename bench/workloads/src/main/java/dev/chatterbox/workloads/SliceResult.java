package dev.chatterbox.workloads;

import dev.chatterbox.transport.Exchange;
import java.util.List;
import java.util.Map;

/**
 * The result of a {@link Slice}.
 *
 * @param id the id of the slice
 * @param seconds from its first request to its last answer; of a queue, from its first message until the last one is
 *     consumed
 * @param right right answers; throughput is {@code right} divided by {@code seconds}
 * @param failures other requests, by kind: {@code timeout}, {@code connect}, {@code wrong}, {@code http-503} and the
 *     like; {@code unsent} for a request of the open model that found no free user before the slice's end
 * @param unansweredNanos the age of the youngest request without an answer, at which it was given up: no percentile
 *     above it is known; 0 if every request was answered
 * @param latency nanoseconds of every request, unanswered ones with their age: an HdrHistogram, compressed, Base64; in
 *     the open model from the intended start. Empty for a bare client
 * @param busiestThread the part of {@code seconds}, 0 to 1, that the generator's busiest thread spent on a processor
 * @param inFlight calls in flight of a bare client; 0 for the generator
 * @param queue the outcome of a queue's messages, which the bench adds; empty for other exchanges
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
        List<MessageCounts> queue) {

    static final String VERB = "result";

    private static final String DONE = "done";

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
                ? queue.stream().mapToLong(MessageCounts::consumed).sum()
                : right * workload.calls();
    }

    /** How many requests were not answered right. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The result as a line, for {@link #parse}. */
    String line() {
        return Line.of(VERB, id, seconds, right, failures, unansweredNanos, latency, busiestThread, inFlight);
    }

    /**
     * A line that says no more than that a program of one-way messages is ready, or has done its part.
     *
     * @param failure in a word; empty if there was none
     */
    static String done(String id, String failure) {
        return Line.of(DONE, id, failure);
    }

    private static SliceResult parseDone(String line) {
        Line of = new Line(line, DONE);
        String id = of.text();
        String failure = of.text();
        return new SliceResult(id, 0, 0, failure.isEmpty() ? Map.of() : Map.of(failure, 1L), 0, "", 0, 0);
    }

    /** The result of a queue's slice. Its consumed messages are counted in requests, of as many as its workload has calls. */
    public static SliceResult of(Slice slice, MessageCounts counts, Map<String, Long> failures) {
        long messagesOfRun = (long) slice.workload().calls()
                * slice.workload().shape().queue().groups();
        long runs = Math.round((double) counts.consumed() / messagesOfRun);
        double seconds = counts.consumeMillis() / 1e3;
        return new SliceResult(slice.id(), seconds, runs, failures, 0, "", 0, 0, List.of(counts));
    }

    /** @throws WorkloadException the line is no result */
    static SliceResult parse(String line) {
        if (line.startsWith(DONE + " ")) {
            return parseDone(line);
        }
        Line of = new Line(line, VERB);
        return new SliceResult(
                of.text(), of.number(), of.whole(), of.counts(), of.whole(), of.text(), of.number(), (int) of.whole());
    }
}
