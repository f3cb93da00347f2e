package dev.chatterbox.resilience.load;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts how the requests to one variant end, and knows when the variant is well again. Uses nanoTime. Thread-safe. */
public final class RequestRecorder {

    /** A variant is well if every answer has been right for this time. */
    private static final long WELL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<String, Long> reasons = new TreeMap<>();
    private long right;
    private long wrong;
    private long longestRight;
    private long longestError;

    /** The time of the return of what was broken, or of the last error after that. */
    private long since = System.nanoTime();

    private long back = since;
    private long rightSince;
    private long firstRight;

    /** The time of the first right answer since {@link #back}; 0 if there was none. */
    private long firstOfAll;

    private final Histogram rightNanos = new Histogram(3);

    synchronized void right(long sent) {
        long now = System.nanoTime();
        right++;
        longestRight = Math.max(longestRight, now - sent);
        rightNanos.recordValue(Math.max(0, now - sent));
        if (firstOfAll == 0) {
            firstOfAll = now;
        }
        if (rightSince++ == 0) {
            firstRight = now;
        }
    }

    synchronized void wrong(long sent) {
        wrong++;
        failed(sent);
    }

    synchronized void error(String kind, String reason, long sent) {
        errors.merge(kind, 1L, Long::sum);
        reasons.merge(kind + ": " + reason, 1L, Long::sum);
        failed(sent);
    }

    private void failed(long sent) {
        since = System.nanoTime();
        longestError = Math.max(longestError, since - sent);
        rightSince = 0;
    }

    /** Notes that what was broken has returned now. */
    public synchronized void back() {
        back = System.nanoTime();
        since = back;
        rightSince = 0;
        firstOfAll = 0;
    }

    /** Whether there were answers in the last second, and all were right. */
    public synchronized boolean isWell() {
        return rightSince > 0 && System.nanoTime() - since > WELL_NANOS;
    }

    /** Seconds from the return of what was broken to the first answer since which all were right; empty before it. */
    public synchronized Optional<Double> recovery() {
        return rightSince == 0 ? Optional.empty() : Optional.of((firstRight - back) / 1e9);
    }

    /** Seconds from the return of what was broken to the first right answer; empty before it. */
    public synchronized Optional<Double> firstRight() {
        return firstOfAll == 0 ? Optional.empty() : Optional.of((firstOfAll - back) / 1e9);
    }

    /** The 99th percentile of the right answers' times, in seconds; 0 if there were none. */
    public synchronized double p99() {
        return rightNanos.getValueAtPercentile(99) / 1e9;
    }

    public synchronized RequestCounts counts() {
        return new RequestCounts(
                right, wrong, new TreeMap<>(errors), new TreeMap<>(reasons), longestRight / 1e9, longestError / 1e9);
    }
}
