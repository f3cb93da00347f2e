package dev.chatterbox.comparison;

import dev.chatterbox.cli.Memory;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Resident memory of processes, sampled five times a second, for the system's own peak (VmHWM) cannot be set back without
 * being root. Thread-safe.
 */
final class MemoryWatch implements AutoCloseable {

    private static final long PERIOD_MILLIS = 200;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "memory-watch");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Long, Long> peaks = new ConcurrentHashMap<>();
    private volatile Collection<Long> watched = java.util.List.of();

    MemoryWatch() {
        timer.scheduleAtFixedRate(this::sample, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Begins a window: forgets the peaks of the last. */
    void start(Collection<Long> pids) {
        peaks.clear();
        watched = java.util.List.copyOf(pids);
    }

    private void sample() {
        for (Long pid : watched) {
            Memory.resident(pid).ifPresent(bytes -> peaks.merge(pid, bytes, Math::max));
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
