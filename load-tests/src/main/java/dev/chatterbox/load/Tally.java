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
    /** The age of the youngest request that was given up without an answer; 0 if there is none. */
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

    boolean hasFailures() {
        return !failures.isEmpty();
    }

    SliceResult result(String slice, double seconds, double busiestThread) {
        return new SliceResult(slice, seconds, right, failures, unansweredNanos, latencies, busiestThread);
    }
}
