package dev.chatterbox.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When the users of an open model are meant to start. A request that starts late, because the generator or a stall held
 * its user up, is measured from its intended start, so that the wait counts (coordinated omission).
 *
 * <p>The k-th user is meant to start at t0 + (k − 1) / rate, rounded as Gatling does it: it deals the users out to
 * whole seconds and then to whole milliseconds ({@code InjectionIterator} and {@code Shard} in gatling-core). A rate
 * of 2.5 means 3, 2, 3, 2 … users a second, evenly within each; a whole rate is off by less than a millisecond.
 * Intended starts that ignore this would charge Gatling's rounding to the server.
 */
final class Arrivals {

    /** Gatling plans each second on a clock of whole milliseconds, so a user may be so much early. */
    private static final long GRID_NANOS = 1_000_000;

    private static final int MILLIS_A_SECOND = 1000;

    private final int[] plannedMillis;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicLong t0 = new AtomicLong();

    Arrivals(double rate, int seconds) {
        plannedMillis = new int[users(rate, seconds)];
        int user = 0;
        for (int second = 0; second < seconds; second++) {
            long inSecond = share(plannedMillis.length, second, seconds);
            for (int milli = 0; milli < MILLIS_A_SECOND; milli++) {
                for (long i = share(inSecond, milli, MILLIS_A_SECOND); i > 0; i--) {
                    plannedMillis[user++] = second * MILLIS_A_SECOND + milli;
                }
            }
        }
    }

    /** So many Gatling injects. */
    static int users(double rate, int seconds) {
        return Math.toIntExact(Math.round(rate * seconds));
    }

    int users() {
        return plannedMillis.length;
    }

    /**
     * The intended start of the user that is next to arrive.
     *
     * @param startNanos its real start
     * @return at most {@code startNanos}
     */
    long next(long startNanos) {
        int user = arrived.getAndIncrement();
        long planned = plannedMillis[Math.min(user, plannedMillis.length - 1)] * 1_000_000L;
        if (user == 0) {
            t0.set(startNanos);
        }
        // A user that is early shows that t0 is too late, because the first user was itself held up.
        long origin = t0.accumulateAndGet(startNanos - planned + GRID_NANOS, Arrivals::earlier);
        return earlier(origin + planned, startNanos);
    }

    /** As {@link System#nanoTime} wants to be compared. */
    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }

    private static long share(long total, int bucket, int buckets) {
        return upTo(total, bucket, buckets) - upTo(total, bucket - 1, buckets);
    }

    private static long upTo(long total, int bucket, int buckets) {
        if (bucket < 0) {
            return 0;
        }
        return bucket == buckets - 1 ? total : (long) Math.ceil((double) total / buckets * (bucket + 1));
    }
}
