package dev.chatterbox.clients;

import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** A slice under way: how many of its calls were begun, and what became of them. */
final class Flight {

    private final Slice slice;
    private final int inFlight;
    private final long most;
    private final long mostNanos;
    private final LongAdder right = new LongAdder();
    private final Map<String, Long> failures = new ConcurrentHashMap<>();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicInteger slots;
    private final long begin = System.nanoTime();
    private volatile long nanos;

    Flight(Slice slice, int mostInFlight) {
        this.slice = slice;
        inFlight = slice.workload().load() instanceof Load.Users users ? Math.min(users.count(), mostInFlight) : 1;
        slots = new AtomicInteger(inFlight);
        most = slice.requests() == 0 ? Long.MAX_VALUE : slice.requests();
        mostNanos = slice.seconds() == 0 ? Long.MAX_VALUE : (long) (slice.seconds() * 1e9);
    }

    Slice slice() {
        return slice;
    }

    int inFlight() {
        return inFlight;
    }

    boolean isOver() {
        return slots.get() == 0;
    }

    /** Whether another call begins. */
    boolean takes() {
        return (mostNanos == Long.MAX_VALUE || System.nanoTime() - begin < mostNanos) && begun.getAndIncrement() < most;
    }

    void right() {
        right.increment();
    }

    /** @return how many failures of this kind there are */
    long failed(String kind) {
        return failures.merge(kind, 1L, Long::sum);
    }

    /** Ends a slot that has nothing left to do; true for the last slot. */
    boolean leave() {
        nanos = System.nanoTime() - begin;
        return slots.decrementAndGet() == 0;
    }

    SliceResult result() {
        return new SliceResult(slice.id(), nanos / 1e9, right.sum(), failures, 0, "", 0, inFlight);
    }
}
