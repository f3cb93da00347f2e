package dev.chatterbox.aggregator.fanout;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long calls took since the start, with an error of at most 1/64; the buckets of {@code chatterbox.calls} have
 * errors of up to a third. Safe for concurrent use, lock-free; recording takes some ten nanoseconds.
 *
 * <p>Log-linear, as HdrHistogram is: each power of two is divided into 64 buckets of the same width, and a duration of
 * less than 128 ns is exact. A bucket holds durations above the bound of the previous one, up to and including its own.
 */
public final class CallDurations {

    private static final int BITS = 6;
    private static final int PER_POWER = 1 << BITS;

    /** 19 hours; no call's deadline is longer than ten minutes. A longer duration counts as this one. */
    static final long LONGEST = 1L << 46;

    private static final int BUCKETS = index(LONGEST) + 1;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
    private final AtomicLong max = new AtomicLong();

    /**
     * The answer to {@code GET /transports/{transport}/latency}.
     *
     * @param calls the sum of all buckets
     * @param maxNanos the longest duration, exactly; 0 if there was no call
     * @param allocatedBytes what the living threads of this process have allocated, for calls or not
     * @param buckets those that are not empty, ascending: the longest duration that each may hold, and its count
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

    /** Calls that are recorded at the same time may be missing. */
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
        // The value of a thread that has just ended is -1.
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    /** Uses the duration less one, so that a bucket includes its bound. */
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
