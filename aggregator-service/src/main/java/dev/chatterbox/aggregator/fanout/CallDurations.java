package dev.chatterbox.aggregator.fanout;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long calls took, since the start, to within 1/64: {@code chatterbox.calls} has buckets of up to a third. Safe for
 * concurrent use, lock-free; recording takes some ten nanoseconds.
 *
 * <p>Log-linear, as HdrHistogram is: each power of two is cut into 64 buckets of one width, and what is shorter than
 * 128 ns is exact. A bucket holds what is longer than the bound of the one before it and at most as long as its own.
 */
public final class CallDurations {

    private static final int BITS = 6;
    private static final int PER_POWER = 1 << BITS;

    /** 19 hours, where no call's deadline is beyond ten minutes; what is longer counts as this long. */
    static final long LONGEST = 1L << 46;

    private static final int BUCKETS = index(LONGEST) + 1;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
    private final AtomicLong max = new AtomicLong();

    /**
     * What {@code GET /transports/{transport}/latency} shows.
     *
     * @param calls the sum of all buckets
     * @param maxNanos the longest, exactly; 0 where there was none
     * @param allocatedBytes by the threads of this process that live, for whatever they did
     * @param buckets those that hold something, ascending: the longest duration that each may hold, and its count
     */
    public record Distribution(
            String transport, long calls, long maxNanos, long allocatedBytes, List<long[]> buckets) {}

    /** @param nanos less than 1 counts as 1 */
    void record(long nanos) {
        counts.getAndIncrement(index(nanos));
        if (nanos > max.get()) {
            max.accumulateAndGet(nanos, Math::max);
        }
    }

    /** What is recorded meanwhile may be in it or not. */
    Distribution distribution(String transport) {
        long calls = 0;
        List<long[]> buckets = new ArrayList<>();
        for (int i = 0; i < BUCKETS; i++) {
            long count = counts.get(i);
            if (count > 0) {
                calls += count;
                buckets.add(new long[] {upperBound(i), count});
            }
        }
        return new Distribution(transport, calls, max.get(), allocatedBytes(), buckets);
    }

    private static long allocatedBytes() {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)) {
            return 0;
        }
        // A thread that has just ended has -1.
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    /** Of the duration less one, so that a bucket ends with its bound. */
    private static int index(long nanos) {
        long value = Math.min(Math.max(nanos, 1), LONGEST) - 1;
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - 1 - BITS);
        return shift * PER_POWER + (int) (value >>> shift);
    }

    private static long upperBound(int index) {
        int shift = Math.max(0, index / PER_POWER - 1);
        return (index - (long) shift * PER_POWER + 1) << shift;
    }
}
