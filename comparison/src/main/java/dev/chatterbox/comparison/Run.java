package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What the parts of one comparison share. Used by one thread. */
final class Run {

    /** Seconds that a slot may take longer than foreseen: a drain waits for requests that time out. */
    private static final double PATIENCE = 90;

    final Target target;
    final Preset preset;
    final CallCounts counts = new CallCounts();

    private final ProgressLine progress;
    private final BooleanSupplier interrupted;

    /** What responders did wrong on demand, by responder; only those that did, and the most that was seen of each. */
    private final Map<String, Map<String, Double>> faults = new TreeMap<>();

    /** Resident bytes before the run, by pid. */
    private final Map<Long, Long> idle = new HashMap<>();

    private double secondsLeft;

    Run(Target target, Preset preset, ProgressLine progress, BooleanSupplier interrupted) {
        this.target = target;
        this.preset = preset;
        this.progress = progress;
        this.interrupted = interrupted;
        target.processes().forEach(process -> isIdle(process.pid()));
    }

    /** Takes the resident memory of a process that has nothing to do yet. */
    void isIdle(long pid) {
        ProcessMemory.resident(pid).ifPresent(bytes -> idle.put(pid, bytes));
    }

    @Nullable
    Long idleBytes(long pid) {
        return idle.get(pid);
    }

    void noteFaults(@Nullable ResponderReading reading) {
        if (reading != null && !reading.faults().isEmpty()) {
            Map<String, Double> seen = faults.computeIfAbsent(reading.responder(), name -> new TreeMap<>());
            reading.faults().forEach((fault, value) -> seen.merge(fault, value, Math::max));
        }
    }

    Map<String, Map<String, Object>> faults() {
        Map<String, Map<String, Object>> all = new LinkedHashMap<>();
        faults.forEach((responder, seen) -> all.put(responder, Map.copyOf(seen)));
        return all;
    }

    boolean interrupted() {
        return interrupted.getAsBoolean();
    }

    /** All that this comparison accounts for: the system, itself and the process that makes the load. */
    Snapshot snapshot(long load) {
        List<Long> pids = new ArrayList<>();
        pids.add(load);
        target.processes().forEach(process -> pids.add(process.pid()));
        pids.add(ProcessHandle.current().pid());
        return Snapshot.of(pids);
    }

    /** How long to wait for the generator's next word, in seconds. */
    double patience(@Nullable Slot slot) {
        return slot == null ? PATIENCE : PATIENCE + 2 * (slot.warmUp().maxSeconds() + slot.allSeconds());
    }

    void expect(double seconds) {
        secondsLeft = seconds;
    }

    /** @param begins whether the slot begins now: then it is no longer among what is left */
    void progress(Slot slot, String phase, boolean begins) {
        String doing = slot.isFirstWarmUp()
                ? "first warm-up  " + slot.cell()
                : "round %d/%d  %s  %s".formatted(slot.round(), preset.rounds(), slot.cell(), phase);
        if (begins) {
            progress(doing, slot.allSeconds());
        } else {
            progress.doing(doing);
        }
    }

    /** @param seconds that it will take */
    void progress(String doing, double seconds) {
        progress.doing(doing, secondsLeft);
        secondsLeft -= seconds;
    }

    /** Ends early when the thread is interrupted, and keeps the interrupt. */
    void pause(double seconds) {
        try {
            TimeUnit.MILLISECONDS.sleep(Math.round(seconds * 1000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
