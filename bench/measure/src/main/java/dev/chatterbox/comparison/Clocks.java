package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.processes.clocks.CpuParts;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.processes.clocks.CpuTime;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Role;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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

    /**
     * What processes used between two readings.
     *
     * @param names their names or roles, by pid; those of one name count together, as the nodes of a cluster do
     */
    CellLog.Use between(CpuSnapshot begin, CpuSnapshot end, Map<Long, String> names) {
        Map<String, Long> nanos = new LinkedHashMap<>();
        Map<String, Long> memory = new LinkedHashMap<>();
        long compiled = 0;
        boolean threadEnded = false;
        for (Map.Entry<Long, String> process : names.entrySet()) {
            long pid = process.getKey();
            String name = process.getValue();
            ProcessMemory.resident(pid).ifPresent(bytes -> memory.merge(name, bytes, Long::sum));
            nanos.putIfAbsent(name, 0L);
            CpuTime then = begin.processes().get(pid);
            CpuTime now = end.processes().get(pid);
            if (then != null && now != null) {
                long jit = now.threads().entrySet().stream()
                        .filter(thread -> isCompiler(pid, thread.getKey()))
                        .mapToLong(thread -> thread.getValue() - then.threads().getOrDefault(thread.getKey(), 0L))
                        .sum();
                nanos.merge(name, now.threadsSince(then) - jit, Long::sum);
                compiled += Role.SYSTEM.contains(name) ? jit : 0;
                threadEnded |= then.threads().keySet().stream()
                        .anyMatch(thread -> !now.threads().containsKey(thread) && !isCompiler(pid, thread));
            }
        }
        return new CellLog.Use(nanos, compiled, threadEnded, memory);
    }

    private boolean isCompiler(long pid, String thread) {
        return compilers.computeIfAbsent(pid + "/" + thread, none -> CpuParts.isCompiler(pid, thread));
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
