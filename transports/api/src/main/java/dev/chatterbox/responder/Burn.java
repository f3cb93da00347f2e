package dev.chatterbox.responder;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Spends CPU time, as the work of a service would. */
public final class Burn {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** So many turns take less than a microsecond of compiled code. */
    private static final int FIRST_TURNS = 64;

    /** How long the thread computes at most between two looks at the clock. */
    private static final long LONGEST_NANOS = 1_000_000;

    /** The last result, so that no compiler leaves the computation out. */
    private static int result;

    private Burn() {}

    /** Returns when this thread has spent so much CPU time. A look at its clock costs about a microsecond itself. */
    public static void micros(long micros) {
        if (micros == 0) {
            return;
        }
        long before = cpuNanos();
        long end = before + micros * 1_000;
        int turns = FIRST_TURNS;
        int value = result;
        while (before < end) {
            value = computed(value, turns);
            long now = cpuNanos();
            // Half of what is left, so that it is not missed, and the clock is read some ten times only.
            turns = (int) Math.max(1, Math.min((end - now) / 2, LONGEST_NANOS) * turns / Math.max(1, now - before));
            before = now;
        }
        result = value;
    }

    private static int computed(int value, int turns) {
        int next = value;
        for (int i = 0; i < turns; i++) {
            next = next * 1_664_525 + 1_013_904_223;
        }
        return next;
    }

    /** The time of the thread's own CPU clock; a virtual thread has none, so of it the time that passes. */
    private static long cpuNanos() {
        long cpu = THREADS.getCurrentThreadCpuTime();
        return cpu < 0 ? System.nanoTime() : cpu;
    }
}
