package dev.chatterbox.processes.clocks;

import dev.chatterbox.processes.Proc;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The CPU time, user and system, that a process had used at one moment, taken in two ways.
 *
 * @param process of all its threads, also of those that have ended, in nanoseconds: from {@code /proc/PID/stat} on
 *     Linux, where it comes in ticks of 10 ms
 * @param threads of each thread that lives, in nanoseconds: from {@code /proc/PID/task/TID/schedstat}, exact. Empty
 *     elsewhere than on Linux. ({@code /proc/PID/schedstat} would be the first thread's alone.)
 */
public record CpuTime(long process, Map<String, Long> threads) {

    /** User and system time are each cut to ticks, at both ends. */
    private static final long COARSE_ERROR = 20_000_000;

    /** Empty if the process has ended or the system does not show it. */
    public static Optional<CpuTime> of(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toNanos)
                .map(nanos -> new CpuTime(nanos, threads(pid)));
    }

    static Map<String, Long> threads(long pid) {
        Map<String, Long> threads = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks) {
                String thread = task.getFileName().toString();
                // The first number: nanoseconds on a processor. A thread that has just ended has none.
                Proc.text("%d/task/%s/schedstat".formatted(pid, thread))
                        .ifPresent(text -> threads.put(thread, Long.valueOf(text.substring(0, text.indexOf(' ')))));
            }
        } catch (IOException | DirectoryIteratorException noLinux) {
            return Map.of();
        }
        return threads;
    }

    /**
     * Nanoseconds used since an earlier reading. They are exact, unless the system shows no threads, or a thread that
     * ended since then took more with it than a tick's error.
     */
    public long since(CpuTime earlier) {
        long coarse = process - earlier.process;
        if (threads.isEmpty()) {
            return coarse;
        }
        long exact = threadsSince(earlier);
        return Math.abs(coarse - exact) <= COARSE_ERROR ? exact : coarse;
    }

    /**
     * Nanoseconds that the threads that live now used since an earlier reading, without what threads that ended took
     * with them; of the whole process where the system shows no threads.
     */
    public long threadsSince(CpuTime earlier) {
        return threads.isEmpty()
                ? process - earlier.process
                : threads.entrySet().stream()
                        .mapToLong(thread -> thread.getValue() - earlier.threads.getOrDefault(thread.getKey(), 0L))
                        .sum();
    }
}
