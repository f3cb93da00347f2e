package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.processes.clocks.CpuParts;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.processes.clocks.CpuTime;
import dev.chatterbox.processes.clocks.JitTime;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Role;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The CPU clocks of a run's processes. The CPU time of a slice is the sum over the threads that live at its end. If a
 * thread ended in the slice, its last CPU time is missing, and the slice says so. The JIT's compiler threads are kept
 * apart, because a single compilation takes as much as a whole slice. Over the run, the sums of all readings are
 * compared with the processes' own totals.
 */
final class Clocks {

    private final Set<Long> pids = new LinkedHashSet<>();
    private final Map<Long, CpuTime> first = new HashMap<>();
    private final Map<Long, CpuParts> firstParts = new HashMap<>();
    private final Map<Long, Optional<Long>> firstWritten = new HashMap<>();
    private final Map<Long, Long> summed = new HashMap<>();
    private CpuSnapshot last = CpuSnapshot.of(Set.of());

    /** Whether a thread is a compiler thread, by pid and thread. A thread keeps its name. */
    private final Map<String, Boolean> compilers = new HashMap<>();

    /**
     * What processes used between two readings.
     *
     * @param nanos CPU nanoseconds by pid, without the compiler threads
     * @param compilers CPU nanoseconds of the JIT's compiler threads by pid
     * @param threadEnded the pids of the processes in which a thread ended that is no compiler thread
     */
    record Use(Map<Long, Long> nanos, Map<Long, Long> compilers, Set<Long> threadEnded) {

        /** The compilers' nanoseconds in those processes whose cost is ranked. */
        long compilersOf(Map<Long, String> roles) {
            return roles.entrySet().stream()
                    .filter(process -> Role.SYSTEM.contains(process.getValue()))
                    .mapToLong(process -> compilers.getOrDefault(process.getKey(), 0L))
                    .sum();
        }
    }

    void watch(Collection<Long> more) {
        pids.addAll(more);
    }

    /** From now on, the sums of the readings are compared with the processes' totals. */
    void begin() {
        first.clear();
        summed.clear();
        read();
    }

    CpuSnapshot read() {
        CpuSnapshot now = CpuSnapshot.of(pids);
        now.processes().forEach((pid, time) -> {
            time.threads().keySet().forEach(thread -> isCompiler(pid, thread));
            firstParts.computeIfAbsent(pid, CpuParts::of);
            firstWritten.computeIfAbsent(pid, ProcessMemory::written);
            boolean begun = first.putIfAbsent(pid, time) != null;
            CpuTime then = last.processes().get(pid);
            if (begun && then != null) {
                summed.merge(pid, time.threadsSince(then), Long::sum);
            }
        });
        last = now;
        return now;
    }

    Use between(CpuSnapshot begin, CpuSnapshot end) {
        Map<Long, Long> nanos = new HashMap<>();
        Map<Long, Long> compiled = new HashMap<>();
        Set<Long> threadEnded = new LinkedHashSet<>();
        end.processes().forEach((pid, now) -> {
            CpuTime then = begin.processes().get(pid);
            if (then != null) {
                long jit = now.threads().entrySet().stream()
                        .filter(thread -> isCompiler(pid, thread.getKey()))
                        .mapToLong(thread -> thread.getValue() - then.threads().getOrDefault(thread.getKey(), 0L))
                        .sum();
                compiled.put(pid, jit);
                nanos.put(pid, now.threadsSince(then) - jit);
                if (then.threads().keySet().stream()
                        .anyMatch(thread -> !now.threads().containsKey(thread) && !isCompiler(pid, thread))) {
                    threadEnded.add(pid);
                }
            }
        });
        return new Use(nanos, compiled, threadEnded);
    }

    private boolean isCompiler(long pid, String thread) {
        return compilers.computeIfAbsent(pid + "/" + thread, none -> JitTime.isCompiler(pid, thread));
    }

    /** How far the sum of a process's readings is from its total: 0.01 is 1 %; 0 if it used less than 4 s. */
    double difference(long pid) {
        CpuTime begin = first.get(pid);
        CpuTime end = last.processes().get(pid);
        if (begin == null || end == null) {
            return 0;
        }
        double total = end.process() - begin.process();
        // User and system time are each cut to ticks of 10 ms at both ends, so a small total is not exact.
        return total < 4e9 ? 0 : Math.abs(summed.getOrDefault(pid, 0L) - total) / total;
    }

    /** What a process did since it was first read. */
    Results.ProcessFigures figures(long pid) {
        CpuParts parts = CpuParts.of(pid).since(firstParts.getOrDefault(pid, CpuParts.of(pid)));
        Optional<Long> before = firstWritten.getOrDefault(pid, Optional.empty());
        return new Results.ProcessFigures(
                parts.user(),
                parts.system(),
                parts.jit(),
                parts.gc(),
                difference(pid),
                ProcessMemory.resident(pid).orElse(null),
                ProcessMemory.written(pid)
                        .flatMap(now -> before.map(then -> now - then))
                        .orElse(null));
    }
}
