package dev.chatterbox.processes.clocks;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The CPU time that a process has used up to one moment, and the part of its JIT. That part belongs to HotSpot's
 * compiler threads, whose names are like "C1 CompilerThread0"; Linux shows the first 15 letters.
 *
 * @param process nanoseconds of all its threads
 * @param compilers nanoseconds of each living compiler thread; HotSpot ends threads that it does not need for a while.
 *     Empty if the process is no JVM
 */
public record JitTime(long process, Map<String, Long> compilers) {

    static final Pattern COMPILER = Pattern.compile("C[12] Compiler.*");

    /** Whether a thread of a process is a compiler thread. */
    public static boolean isCompiler(long pid, String thread) {
        return CpuParts.isNamed(COMPILER, pid, thread);
    }

    public static Map<Long, JitTime> of(Collection<Long> pids) {
        Map<Long, JitTime> times = new HashMap<>();
        for (long pid : pids) {
            CpuTime.of(pid)
                    .ifPresent(time ->
                            times.put(pid, new JitTime(time.process(), CpuParts.named(COMPILER, pid, time.threads()))));
        }
        return times;
    }

    /** Whether the system shows the CPU time of the JITs. */
    public static boolean isKnown(Map<Long, JitTime> times) {
        return times.values().stream().anyMatch(time -> !time.compilers().isEmpty());
    }

    /** Nanoseconds that processes have used between two readings; a process that one reading lacks counts as 0. */
    public static long used(Map<Long, JitTime> before, Map<Long, JitTime> after, Collection<Long> pids) {
        long used = 0;
        for (long pid : pids) {
            JitTime then = before.get(pid);
            JitTime now = after.get(pid);
            used += then == null || now == null ? 0 : now.process() - then.process();
        }
        return used;
    }

    /** The JITs' share, 0 to 1, of the CPU time that the processes have used between two readings. */
    public static double share(Map<Long, JitTime> before, Map<Long, JitTime> after) {
        long process = used(before, after, after.keySet());
        return process <= 0 ? 1 : (double) compiled(before, after) / process;
    }

    /** Nanoseconds that the JITs have used between two readings. */
    public static long compiled(Map<Long, JitTime> before, Map<Long, JitTime> after) {
        long jit = 0;
        for (Map.Entry<Long, JitTime> now : after.entrySet()) {
            JitTime then = before.get(now.getKey());
            if (then != null) {
                for (Map.Entry<String, Long> thread : now.getValue().compilers().entrySet()) {
                    jit += thread.getValue() - then.compilers().getOrDefault(thread.getKey(), 0L);
                }
            }
        }
        return jit;
    }
}
