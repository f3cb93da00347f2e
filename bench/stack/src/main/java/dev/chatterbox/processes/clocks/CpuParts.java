package dev.chatterbox.processes.clocks;

import dev.chatterbox.processes.Proc;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How processes have used their CPU time up to one moment. A process that is gone has no part in it.
 *
 * @param user seconds in the programs' own code
 * @param system seconds in the kernel for the processes
 * @param compilers nanoseconds of each living compiler thread of HotSpot, which ends threads that it does not need for
 *     a while; empty if no process is a JVM
 * @param collectors nanoseconds of each living thread of the garbage collectors
 */
public record CpuParts(double user, double system, Map<String, Long> compilers, Map<String, Long> collectors) {

    /** Names are like "C1 CompilerThread0"; Linux shows only their first 15 letters. */
    private static final Pattern COMPILER = Pattern.compile("C[12] Compiler.*");

    private static final Pattern COLLECTOR = Pattern.compile("GC Thread.*|G1 .*|VM Thread|Z[A-Z].*");

    /** The index among the fields of {@link Proc#stat}. */
    private static final int UTIME = 11;

    private static final double TICKS = 100;

    public static CpuParts of(long pid) {
        return of(List.of(pid));
    }

    /** The time of several processes together: no two threads of a machine have the same id. */
    public static CpuParts of(Collection<Long> pids) {
        double user = 0;
        double system = 0;
        Map<String, Long> compilers = new HashMap<>();
        Map<String, Long> collectors = new HashMap<>();
        for (long pid : pids) {
            String[] fields = Proc.stat(pid).orElse(null);
            if (fields != null) {
                user += Long.parseLong(fields[UTIME]) / TICKS;
                system += Long.parseLong(fields[UTIME + 1]) / TICKS;
                CpuTime.threads(pid).forEach((thread, nanos) -> {
                    String name = name(pid, thread);
                    if (COMPILER.matcher(name).matches()) {
                        compilers.put(thread, nanos);
                    } else if (COLLECTOR.matcher(name).matches()) {
                        collectors.put(thread, nanos);
                    }
                });
            }
        }
        return new CpuParts(user, system, compilers, collectors);
    }

    private static String name(long pid, String thread) {
        return Proc.text("%d/task/%s/comm".formatted(pid, thread)).orElse("").strip();
    }

    /** Whether a thread of a process is a compiler thread. */
    public static boolean isCompiler(long pid, String thread) {
        return COMPILER.matcher(name(pid, thread)).matches();
    }

    /** Seconds of all threads, also of those that have ended. */
    public double total() {
        return user + system;
    }

    /** Seconds of the compiler threads. */
    public double jit() {
        return seconds(compilers);
    }

    /** The compilers' share of all, 0 to 1; 1 if nothing was used, and NaN if the system does not show it. */
    public double jitShare() {
        if (compilers.isEmpty()) {
            return Double.NaN;
        }
        return total() <= 0 ? 1 : jit() / total();
    }

    /** Seconds of the collectors' threads. */
    public double gc() {
        return seconds(collectors);
    }

    private static double seconds(Map<String, Long> threads) {
        return threads.values().stream().mapToLong(Long::longValue).sum() / 1e9;
    }

    /**
     * The use between two moments. A thread that has ended since the earlier moment is left out, so that its time is
     * not subtracted from that of the others.
     */
    public CpuParts since(CpuParts earlier) {
        return new CpuParts(
                user - earlier.user,
                system - earlier.system,
                since(compilers, earlier.compilers),
                since(collectors, earlier.collectors));
    }

    private static Map<String, Long> since(Map<String, Long> now, Map<String, Long> then) {
        Map<String, Long> since = new HashMap<>(now);
        since.replaceAll((thread, nanos) -> nanos - then.getOrDefault(thread, 0L));
        return since;
    }
}
