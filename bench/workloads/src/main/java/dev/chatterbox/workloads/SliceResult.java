package dev.chatterbox.workloads;

import java.util.Map;

/**
 * What came of a {@link Slice}. Its length runs from its first request to its last answer.
 *
 * @param id the slice's
 * @param seconds its length
 * @param fullSeconds its length until the first user had nothing left to do; in the open model its length
 * @param fullRight right answers in {@code fullSeconds}: throughput is the one divided by the other
 * @param right right answers of the whole slice
 * @param failures the others, by kind ({@code timeout}, {@code connect}, {@code wrong}, {@code http-503} and the like);
 *     {@code unsent} is one of the open model whose time had come, but no user was free for it before the slice's end
 * @param unansweredNanos the age of the youngest request that no answer came for, after which it was given up: no
 *     percentile above it is known; 0 where every request was answered
 * @param latency nanoseconds of every request, unanswered ones with their age: an HdrHistogram, compressed, Base64;
 *     in the open model from the intended start. Empty for a bare client
 * @param busiestThread the part of {@code seconds}, 0 to 1, that the busiest thread of the generator spent on a processor
 * @param inFlight calls in flight of a bare client; 0 for the generator
 */
public record SliceResult(
        String id,
        double seconds,
        double fullSeconds,
        long fullRight,
        long right,
        Map<String, Long> failures,
        long unansweredNanos,
        String latency,
        double busiestThread,
        int inFlight) {

    static final String VERB = "result";

    public SliceResult {
        failures = Map.copyOf(failures);
    }

    /** All that were not answered right. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** In a line, for {@link #parse}. */
    String line() {
        return Line.of(
                VERB,
                id,
                seconds,
                fullSeconds,
                fullRight,
                right,
                failures,
                unansweredNanos,
                latency,
                busiestThread,
                inFlight);
    }

    /** @throws WorkloadException the line is no result's */
    static SliceResult parse(String line) {
        Line of = new Line(line, VERB);
        return new SliceResult(
                of.text(),
                of.number(),
                of.number(),
                of.whole(),
                of.whole(),
                of.counts(),
                of.whole(),
                of.text(),
                of.number(),
                (int) of.whole());
    }
}
