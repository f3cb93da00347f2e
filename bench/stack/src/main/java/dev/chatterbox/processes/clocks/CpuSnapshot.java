package dev.chatterbox.processes.clocks;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The CPU times of some processes and of the machine at one moment. A snapshot takes a few milliseconds.
 *
 * @param nanos {@link System#nanoTime} in the middle of the reading
 * @param processes the CPU times, by pid
 */
public record CpuSnapshot(long nanos, Map<Long, CpuTime> processes, Optional<MachineTime> machine) {

    public static CpuSnapshot of(Collection<Long> pids) {
        long start = System.nanoTime();
        Map<Long, CpuTime> processes = new HashMap<>();
        for (Long pid : pids) {
            CpuTime.of(pid).ifPresent(time -> processes.put(pid, time));
        }
        Optional<MachineTime> machine = MachineTime.now();
        return new CpuSnapshot(start + (System.nanoTime() - start) / 2, processes, machine);
    }

    public double secondsSince(CpuSnapshot earlier) {
        return (nanos - earlier.nanos) / 1e9;
    }

    /**
     * The share of all processors that was used by processes outside these snapshots, or by other virtual machines.
     *
     * @return 0 to 1, or null if the system does not show it
     */
    public @Nullable Double otherLoad(CpuSnapshot earlier) {
        if (machine.isEmpty() || earlier.machine.isEmpty()) {
            return null;
        }
        long all = machine.get().busy() - earlier.machine.get().busy();
        long stolen = machine.get().stolen() - earlier.machine.get().stolen();
        long ours = 0;
        for (Map.Entry<Long, CpuTime> process : processes.entrySet()) {
            CpuTime then = earlier.processes.get(process.getKey());
            ours += then == null ? 0 : process.getValue().process() - then.process();
        }
        double capacity = secondsSince(earlier) * 1e9 * Runtime.getRuntime().availableProcessors();
        return Math.max(0, (all - ours + stolen) / capacity);
    }
}
