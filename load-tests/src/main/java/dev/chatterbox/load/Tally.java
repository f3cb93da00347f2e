package dev.chatterbox.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What ended in one stretch of time. A lock is enough: a few threads, each once a request, for some hundred
 * nanoseconds; and so counts and histogram always agree.
 */
final class Tally {

    /** Significant digits: any value is off by at most 0.1 %. */
    private static final int DIGITS = 3;

    private final Histogram latencies = new Histogram(DIGITS);
    private final Map<String, Long> failures = new TreeMap<>();
    private long requests;
    private long failed;

    synchronized void add(Judgement judgement, long latencyNanos) {
        if (judgement.isRight()) {
            requests++;
        } else {
            failed++;
            failures.merge(judgement.kind(), 1L, Long::sum);
        }
        latencies.recordValue(Math.max(0, latencyNanos));
    }

    /** Leaves the latencies out: those of warm-up and drain mean nothing. */
    synchronized void addCounts(Tally other) {
        requests += other.requests();
        failed += other.failed();
        other.failures().forEach((kind, count) -> failures.merge(kind, count, Long::sum));
    }

    synchronized long requests() {
        return requests;
    }

    synchronized long failed() {
        return failed;
    }

    synchronized Map<String, Long> failures() {
        return new TreeMap<>(failures);
    }

    synchronized Percentiles latency() {
        return Percentiles.of(latencies);
    }

    /**
     * The latencies: an upper bound in nanoseconds and how many there were up to it and above the one before,
     * ascending.
     */
    synchronized List<List<Long>> buckets() {
        List<List<Long>> buckets = new ArrayList<>();
        latencies
                .recordedValues()
                .forEach(value ->
                        buckets.add(List.of(value.getValueIteratedTo(), value.getCountAddedInThisIterationStep())));
        return buckets;
    }
}
