package dev.chatterbox.aggregator.fanout;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How long calls or requests took since the start, with an error of at most 1/128; the buckets of
 * {@code chatterbox.calls} have errors of up to a third. Safe for concurrent use, lock-free.
 */
public final class CallDurations {

    /** 19 hours; no call's deadline is longer than ten minutes. A longer duration counts as this one. */
    static final long LONGEST = 1L << 46;

    private static final int DIGITS = 2;

    private final AtomicHistogram histogram = new AtomicHistogram(LONGEST, DIGITS);

    /**
     * The answer to {@code GET /transports/{transport}/latency}.
     *
     * @param calls the sum of all buckets
     * @param buckets those that are not empty, ascending: the longest duration that each may hold, and its count
     */
    public record Distribution(String transport, long calls, List<long[]> buckets) {}

    /** @param nanos less than 1 counts as 1 */
    void record(long nanos) {
        histogram.recordValue(Math.min(Math.max(nanos, 1), LONGEST));
    }

    /** How many there are. */
    public long count() {
        return histogram.getTotalCount();
    }

    /** A copy. What is recorded at the same time may be missing. */
    public Histogram copy() {
        return histogram.copy();
    }

    Distribution distribution(String transport) {
        Histogram copy = copy();
        List<long[]> buckets = new ArrayList<>();
        for (HistogramIterationValue bucket : copy.recordedValues()) {
            buckets.add(new long[] {bucket.getValueIteratedTo(), bucket.getCountAtValueIteratedTo()});
        }
        return new Distribution(transport, copy.getTotalCount(), buckets);
    }
}
