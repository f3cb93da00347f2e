package dev.chatterbox.clients;

import dev.chatterbox.queue.QueueListener.Answer;
import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.MessageFile.Field;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the broker answered to each published message of a slice, and how many may be on their way. One thread
 * publishes; answers come on any thread. A message's place is free for another one when its answer is in the file.
 */
final class Published {

    /** A message that nobody acknowledges, and that is not consumed after so long, is lost. */
    private static final Duration ON_ITS_WAY = Duration.ofSeconds(1);

    private static final Duration LOOK_EVERY = Duration.ofNanos(100_000);

    private final MessageFile file;
    private final boolean isAcknowledged;
    private final int most;
    private final List<MessageFile> consumed;
    private final Duration patience;
    private final Semaphore places;
    private final long begin = System.nanoTime();
    private int count;
    private int settled;

    /** Whether a message may get its answer too late. */
    private boolean givenUp;

    /** All messages before this one have their answers. */
    private int settledBefore = 1;

    /** By {@link System#nanoTime}. */
    private volatile long changedAt = begin;

    private long lost;
    private long consumedBefore;
    private long consumedAt = begin;

    /**
     * @param isAcknowledged whether the broker confirms each message
     * @param most so many messages may be on their way: to their acknowledgement, or to all groups of consumers; 0 for
     *     any number
     * @param consumed by the groups
     * @param patience how long nothing may happen
     */
    Published(MessageFile file, boolean isAcknowledged, int most, List<MessageFile> consumed, Duration patience) {
        this.file = file;
        this.isAcknowledged = isAcknowledged;
        this.most = most;
        this.consumed = consumed;
        this.patience = patience;
        places = new Semaphore(most);
    }

    /** Whether nothing has happened for too long. */
    boolean isStuck() {
        return System.nanoTime() - changedAt > patience.toNanos();
    }

    /** Waits until another message may be on its way; false if nothing happens any more. */
    boolean awaitPlace() throws InterruptedException {
        if (!isAcknowledged) {
            awaitConsumers();
            return true;
        }
        while (!places.tryAcquire(100, TimeUnit.MILLISECONDS)) {
            if (isStuck()) {
                return false;
            }
        }
        return true;
    }

    private void awaitConsumers() {
        while (most > 0 && count - lost - consumedBefore >= most) {
            long least = consumed.stream()
                    .mapToLong(group -> group.get(Field.COUNT))
                    .min()
                    .orElse(0);
            long now = System.nanoTime();
            if (least > consumedBefore) {
                consumedBefore = least;
                consumedAt = now;
            } else if (now - consumedAt > ON_ITS_WAY.toNanos()) {
                lost = count - least;
                consumedAt = now;
            } else {
                LockSupport.parkNanos(LOOK_EVERY.toNanos());
            }
        }
    }

    /** Notes that this message is published now: the next one. */
    synchronized void publishing(int number) {
        count = number;
        long micros = MessageFile.micros();
        if (number == 1) {
            file.set(Field.FIRST, micros);
        }
        file.set(Field.LAST, micros);
        file.state(number, isAcknowledged ? -1 - sinceBegin() : MessageFile.UNKNOWN);
        file.set(Field.COUNT, number);
        if (!isAcknowledged) {
            settled++;
            changedAt = System.nanoTime();
        }
    }

    /** Microseconds, which a negative state has room for in half an hour. */
    private int sinceBegin() {
        return (int) ((System.nanoTime() - begin) / 1_000);
    }

    /** Notes the broker's answer. What comes later, or again, changes nothing. */
    synchronized void settle(int number, Answer answer) {
        if (number < 1 || number > count || !isPending(number)) {
            return;
        }
        file.state(
                number,
                switch (answer) {
                    case ACKNOWLEDGED -> Math.max(1, sinceBegin() - publishedAt(number));
                    case REFUSED -> MessageFile.REFUSED;
                    case UNKNOWN -> MessageFile.UNKNOWN;
                });
        if (answer != Answer.UNKNOWN) {
            file.set(Field.LAST, MessageFile.micros());
            changedAt = System.nanoTime();
        }
        settled++;
        places.release();
    }

    private boolean isPending(int number) {
        int state = file.state(number);
        return state < 0 && state > MessageFile.UNKNOWN;
    }

    /** When a message was published that has no answer, as {@link #sinceBegin}. */
    private int publishedAt(int number) {
        return -1 - file.state(number);
    }

    /** Gives up the messages that were published longer ago than this and have no answer. */
    synchronized void giveUp(Duration olderThan) {
        long before = sinceBegin() - olderThan.toNanos() / 1_000;
        // Messages are published in the order of their numbers, so the first one that is not old ends the search.
        while (settledBefore <= count && (!isPending(settledBefore) || publishedAt(settledBefore) <= before)) {
            givenUp |= isPending(settledBefore);
            settle(settledBefore++, Answer.UNKNOWN);
        }
    }

    /** Waits until every published message has its answer; {@link #giveUp} gives those that wait too long one. */
    void awaitSettled() throws InterruptedException {
        while (!isSettled()) {
            TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
        }
        if (givenUp) {
            // An answer that comes now would be taken for one in the next slice.
            TimeUnit.NANOSECONDS.sleep(ON_ITS_WAY.toNanos());
        }
    }

    private synchronized boolean isSettled() {
        return settled == count;
    }
}
