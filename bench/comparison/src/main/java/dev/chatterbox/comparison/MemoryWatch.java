package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessMemory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Resident memory of processes, sampled five times a second, for only root can set the system's own peak (VmHWM)
 * back. Thread-safe.
 */
final class MemoryWatch implements AutoCloseable {

    private static final long PERIOD_MILLIS = 200;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "memory-watch");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Long, Long> peaks = new ConcurrentHashMap<>();
    private volatile Collection<Long> watched = List.of();

    MemoryWatch() {
        timer.scheduleAtFixedRate(this::sample, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Begins a window: forgets the peaks of the last. */
    void start(Collection<Long> pids) {
        peaks.clear();
        watched = List.copyOf(pids);
    }

    private void sample() {
        for (Long pid : watched) {
            ProcessMemory.resident(pid).ifPresent(bytes -> peaks.merge(pid, bytes, Math::max));
        }
    }

    /** The largest since the window began; null if none was seen. */
    @Nullable
    Long peak(long pid) {
        return peaks.get(pid);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
