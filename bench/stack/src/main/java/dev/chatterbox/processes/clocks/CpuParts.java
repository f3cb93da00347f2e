package dev.chatterbox.processes.clocks;

import dev.chatterbox.processes.Proc;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a process has used its CPU time up to one moment. Empty if the process is gone.
 *
 * @param user seconds in the program's own code
 * @param system seconds in the kernel for the process
 * @param compilers nanoseconds of each living compiler thread of HotSpot, which ends threads that it does not need for
 *     a while
 * @param collectors nanoseconds of each living thread of its garbage collectors
 */
public record CpuParts(double user, double system, Map<String, Long> compilers, Map<String, Long> collectors) {

    private static final CpuParts NONE = new CpuParts(0, 0, Map.of(), Map.of());

    private static final Pattern COLLECTOR = Pattern.compile("GC Thread.*|G1 .*|VM Thread|Z[A-Z].*");

    /** The index among the fields of {@link Proc#stat}. */
    private static final int UTIME = 11;

    private static final double TICKS = 100;

    public static CpuParts of(long pid) {
        return Proc.stat(pid)
                .map(fields -> {
                    Map<String, Long> threads = CpuTime.threads(pid);
                    return new CpuParts(
                            Long.parseLong(fields[UTIME]) / TICKS,
                            Long.parseLong(fields[UTIME + 1]) / TICKS,
                            named(JitTime.COMPILER, pid, threads),
                            named(COLLECTOR, pid, threads));
                })
                .orElse(NONE);
    }

    /** The threads of a process whose name matches. Linux shows only the first 15 letters of a name. */
    static Map<String, Long> named(Pattern name, long pid, Map<String, Long> threads) {
        return threads.entrySet().stream()
                .filter(thread -> isNamed(name, pid, thread.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    static boolean isNamed(Pattern name, long pid, String thread) {
        return Proc.text("%d/task/%s/comm".formatted(pid, thread))
                .filter(text -> name.matcher(text.strip()).matches())
                .isPresent();
    }

    /** Seconds of the compiler threads. */
    public double jit() {
        return seconds(compilers);
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
