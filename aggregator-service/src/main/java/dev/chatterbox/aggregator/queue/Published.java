package dev.chatterbox.aggregator.queue;

import java.util.BitSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * What the broker said of each published message, and how many may be on their way. Thread-safe; one thread publishes.
 */
final class Published {

    /** A message's state is the time of its publishing by {@link System#nanoTime}, which is none of these, or one of these. */
    private static final long UNSENT = Long.MIN_VALUE;

    private static final long ACKNOWLEDGED = Long.MIN_VALUE + 1;
    private static final long REFUSED = Long.MIN_VALUE + 2;
    private static final long UNKNOWN = Long.MIN_VALUE + 3;

    /** By number. */
    private final AtomicLongArray states;

    private final boolean isAcknowledged;

    /** Negative if any number of messages may be on their way. */
    private final int most;

    private final Semaphore places;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private final Histogram waits = new ConcurrentHistogram(3);
    private final AtomicLong lastAt = new AtomicLong();
    private volatile long answeredAt = System.nanoTime();

    /** All messages before this one are settled. Only one thread looks for overdue ones. */
    private int settledBefore = 1;

    private long placesGivenUp;

    private volatile int count;

    /**
     * @param isAcknowledged whether the broker says of each message that it has it
     * @param most so many messages may be on their way; negative if any number may
     */
    Published(int n, boolean isAcknowledged, int most) {
        states = new AtomicLongArray(n + 1);
        for (int number = 0; number <= n; number++) {
            states.setPlain(number, UNSENT);
        }
        this.isAcknowledged = isAcknowledged;
        this.most = most;
        places = new Semaphore(Math.max(0, most));
    }

    boolean isAcknowledged() {
        return isAcknowledged;
    }

    /** Waits for a place. */
    void awaitPlace() throws InterruptedException {
        if (most >= 0) {
            places.acquire();
        }
    }

    /** Makes room for further messages, because so many were received; no effect where messages are acknowledged. */
    void received(long messages) {
        if (!isAcknowledged) {
            places.release((int) Math.min(messages, Math.max(0, most - places.availablePermits())));
        }
    }

    /**
     * Makes room for further messages in place of those that do not come any more; no effect where messages are
     * acknowledged. Only one thread calls it.
     *
     * @param before so many messages were published so long ago that they have come or do not come
     * @param received so many have come
     */
    void giveUpPlaces(int before, long received) {
        long lost = before - received - placesGivenUp;
        if (lost > 0) {
            placesGivenUp += lost;
            received(lost);
        }
    }

    /** Notes that this message is published now: the next one. */
    void publishing(int number, long now) {
        count = number;
        lastAt.set(now);
        states.set(number, isAcknowledged ? now : UNKNOWN);
        if (!isAcknowledged) {
            unknown.incrementAndGet();
        }
    }

    void acknowledged(int number) {
        settle(number, ACKNOWLEDGED, acknowledged);
    }

    void refused(int number) {
        settle(number, REFUSED, refused);
    }

    void unknown(int number) {
        settle(number, UNKNOWN, unknown);
    }

    /** What comes later, or again, changes nothing. */
    private void settle(int number, long state, AtomicInteger counter) {
        if (number < 1 || number >= states.length()) {
            return;
        }
        long publishedAt = states.get(number);
        if (publishedAt <= UNKNOWN || !states.compareAndSet(number, publishedAt, state)) {
            return;
        }
        long now = System.nanoTime();
        if (state != UNKNOWN) {
            answeredAt = now;
            lastAt.set(now);
        }
        if (state == ACKNOWLEDGED) {
            waits.recordValue((now - publishedAt) / 1_000);
        }
        counter.incrementAndGet();
        places.release();
    }

    /** Gives up the messages that were published before this time and have had no answer; by {@link System#nanoTime}. */
    void giveUp(long publishedBefore) {
        boolean gap = false;
        for (int number = settledBefore; number <= count; number++) {
            long state = states.get(number);
            if (state > UNKNOWN && state - publishedBefore <= 0) {
                unknown(number);
            } else if (state > UNKNOWN) {
                gap = true;
            }
            if (!gap) {
                settledBefore = number + 1;
            }
        }
    }

    int count() {
        return count;
    }

    int acknowledged() {
        return acknowledged.get();
    }

    int refused() {
        return refused.get();
    }

    int unknown() {
        return unknown.get();
    }

    /** Whether every published message has had its answer. */
    boolean isSettled() {
        return acknowledged() + refused() + unknown() == count;
    }

    /** When a message was last published or answered, by {@link System#nanoTime}. */
    long lastAt() {
        return lastAt.get();
    }

    /** When the broker last answered, by {@link System#nanoTime}: at first, when the run began. */
    long answeredAt() {
        return answeredAt;
    }

    /** How long messages waited for their acknowledgement, in microseconds. */
    Histogram waits() {
        return waits;
    }

    /** How many messages that were published, and not refused, are not among these numbers. */
    int missing(BitSet numbers) {
        return count(numbers, ACKNOWLEDGED) + count(numbers, UNKNOWN);
    }

    /** How many acknowledged messages are not among these numbers. */
    int lost(BitSet numbers) {
        return count(numbers, ACKNOWLEDGED);
    }

    private int count(BitSet numbers, long state) {
        int found = 0;
        for (int number = 1; number <= count; number++) {
            if (states.get(number) == state && !numbers.get(number)) {
                found++;
            }
        }
        return found;
    }
}
