package dev.chatterbox.load;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * The processor time that every Java thread of this process had used at one moment. If an event loop is on a processor
 * all the time, it sends no sooner when the server answers sooner: then the generator limits the throughput.
 *
 * @param nanoTime the time of the reading
 * @param used nanoseconds, by the thread's id
 */
record ThreadTimes(long nanoTime, Map<Long, Long> used) {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    static ThreadTimes now() {
        Map<Long, Long> used = new HashMap<>();
        for (long id : THREADS.getAllThreadIds()) {
            // The time of a thread that has ended is -1.
            long nanos = THREADS.getThreadCpuTime(id);
            if (nanos >= 0) {
                used.put(id, nanos);
            }
        }
        return new ThreadTimes(System.nanoTime(), used);
    }

    /** The part of the time since the earlier reading, 0 to 1, that the busiest thread spent on a processor. */
    double busiestSince(ThreadTimes earlier) {
        long most = used.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - earlier.used.getOrDefault(thread.getKey(), 0L))
                .max()
                .orElse(0);
        long elapsed = nanoTime - earlier.nanoTime;
        return elapsed <= 0 ? 0 : Math.min(1, (double) most / elapsed);
    }
}
