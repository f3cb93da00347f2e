package dev.chatterbox.load;

import dev.chatterbox.workloads.SliceResult;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** What became of the requests of a slice. Not safe for concurrent use. */
final class Tally {

    private final Histogram latencies = new Histogram(SliceResult.DIGITS);
    private final Map<String, Long> failures = new TreeMap<>();
    private long right;
    private long unansweredNanos;

    void add(Judgement judgement, long latencyNanos) {
        if (judgement.isRight()) {
            right++;
        } else {
            failures.merge(judgement.kind(), 1L, Long::sum);
        }
        if (!judgement.isAnswered()) {
            unansweredNanos = unansweredNanos == 0 ? latencyNanos : Math.min(unansweredNanos, latencyNanos);
        }
        latencies.recordValue(latencyNanos);
    }

    long right() {
        return right;
    }

    Map<String, Long> failures() {
        return failures;
    }

    /** The age of the youngest request that was given up without an answer; 0 if there is none. */
    long unansweredNanos() {
        return unansweredNanos;
    }

    /** As {@link SliceResult#latency} has them. */
    Histogram latency() {
        return latencies;
    }
}
