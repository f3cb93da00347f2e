package dev.chatterbox.clients;

import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** A slice under way: how many of its calls were begun, and what became of them. */
final class Flight {

    private final Slice slice;
    private final Consumer<SliceResult> answer;
    private final int inFlight;
    private final LongAdder right = new LongAdder();
    private final Map<String, Long> failures = new ConcurrentHashMap<>();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicInteger slots;
    private final long begin = System.nanoTime();

    /** @param answer takes the result when the last slot is left */
    Flight(Slice slice, int mostInFlight, Consumer<SliceResult> answer) {
        this.slice = slice;
        this.answer = answer;
        inFlight = slice.workload().load() instanceof Load.Users users ? Math.min(users.count(), mostInFlight) : 1;
        slots = new AtomicInteger(inFlight);
    }

    int inFlight() {
        return inFlight;
    }

    boolean isOver() {
        return slots.get() == 0;
    }

    /** Whether another call begins. */
    boolean takes() {
        return System.nanoTime() - begin < slice.mostNanos() && begun.getAndIncrement() < slice.mostRequests();
    }

    void right() {
        right.increment();
    }

    /** @return how many failures of this kind there are */
    long failed(String kind) {
        return failures.merge(kind, 1L, Long::sum);
    }

    /** Ends a slot that has nothing left to do. */
    void leave() {
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (slots.decrementAndGet() == 0) {
            answer.accept(new SliceResult(slice.id(), seconds, right.sum(), failures, inFlight, 0));
        }
    }
}
