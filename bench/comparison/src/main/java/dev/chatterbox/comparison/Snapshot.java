package dev.chatterbox.comparison;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The CPU times of some processes and of the machine at one moment. Taking one takes a few milliseconds.
 *
 * @param nanos {@link System#nanoTime} in the middle of the reading
 * @param processes by pid
 */
record Snapshot(long nanos, Map<Long, CpuTime> processes, Optional<MachineTime> machine) {

    static Snapshot of(Collection<Long> pids) {
        long start = System.nanoTime();
        Map<Long, CpuTime> processes = new HashMap<>();
        for (Long pid : pids) {
            CpuTime.of(pid).ifPresent(time -> processes.put(pid, time));
        }
        Optional<MachineTime> machine = MachineTime.now();
        return new Snapshot(start + (System.nanoTime() - start) / 2, processes, machine);
    }

    double secondsSince(Snapshot earlier) {
        return (nanos - earlier.nanos) / 1e9;
    }

    /** CPU-seconds per second; null if the process was not there at both ends. */
    @Nullable
    Double use(long pid, Snapshot earlier) {
        CpuTime now = processes.get(pid);
        CpuTime then = earlier.processes.get(pid);
        return now == null || then == null ? null : now.since(then) / 1e9 / secondsSince(earlier);
    }

    /**
     * The part of all processors that went to processes that are none of ours, or to other virtual machines.
     *
     * @return 0 to 1, or null where the system does not tell
     */
    @Nullable
    Double otherLoad(Snapshot earlier) {
        if (machine.isEmpty() || earlier.machine.isEmpty()) {
            return null;
        }
        long all = machine.get().busy() - earlier.machine.get().busy();
        long stolen = machine.get().stolen() - earlier.machine.get().stolen();
        long ours = 0;
        for (Map.Entry<Long, CpuTime> process : processes.entrySet()) {
            CpuTime then = earlier.processes.get(process.getKey());
            ours += then == null ? 0 : process.getValue().since(then);
        }
        double capacity = secondsSince(earlier) * 1e9 * Runtime.getRuntime().availableProcessors();
        return Math.max(0, (all - ours + stolen) / capacity);
    }
}
