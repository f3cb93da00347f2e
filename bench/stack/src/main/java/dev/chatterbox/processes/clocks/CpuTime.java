package dev.chatterbox.processes.clocks;

import dev.chatterbox.processes.Proc;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The CPU time, user and system, that a process has used up to one moment, measured in two ways.
 *
 * @param process nanoseconds of all its threads, including those that have ended: from {@code /proc/PID/stat}, in
 *     ticks of 10 ms
 * @param threads exact nanoseconds of each living thread, from {@code /proc/PID/task/TID/schedstat}; empty if the
 *     process has just ended. ({@code /proc/PID/schedstat} has the first thread only.)
 */
public record CpuTime(long process, Map<String, Long> threads) {

    /** Empty if the process has ended. */
    public static Optional<CpuTime> of(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toNanos)
                .map(nanos -> new CpuTime(nanos, threads(pid)));
    }

    static Map<String, Long> threads(long pid) {
        Map<String, Long> threads = new HashMap<>();
        for (String thread : Proc.entries(pid, "task")) {
            // The first number is nanoseconds on a processor. A thread that has just ended has no such file.
            Proc.text("%d/task/%s/schedstat".formatted(pid, thread))
                    .ifPresent(text -> threads.put(thread, Long.valueOf(text.substring(0, text.indexOf(' ')))));
        }
        return threads;
    }

    /**
     * Nanoseconds that the living threads have used since an earlier reading, without threads that have ended. If the
     * process has just ended, the value is for the whole process.
     */
    public long threadsSince(CpuTime earlier) {
        return threads.isEmpty()
                ? process - earlier.process
                : threads.entrySet().stream()
                        .mapToLong(thread -> thread.getValue() - earlier.threads.getOrDefault(thread.getKey(), 0L))
                        .sum();
    }
}
