package dev.chatterbox.comparison;

import dev.chatterbox.cli.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What the parts of one comparison share. */
final class Run {

    /** Seconds that a cell may take longer than foreseen: a drain waits for requests that time out. */
    private static final double PATIENCE = 90;

    final Target target;
    final Preset preset;

    /** What responders do wrong on demand, in words, by transport. */
    final Map<String, String> faults;

    final Counts.Sum counts = new Counts.Sum();

    /** Resident bytes before the run, by pid; the generator's by its role. */
    final Map<String, Long> idle = new ConcurrentHashMap<>();

    private final Progress progress;
    private final BooleanSupplier interrupted;
    private double secondsLeft;

    Run(Target target, Preset preset, Map<String, String> faults, Progress progress, BooleanSupplier interrupted) {
        this.target = target;
        this.preset = preset;
        this.faults = faults;
        this.progress = progress;
        this.interrupted = interrupted;
        target.processes().forEach(process -> idle.computeIfAbsent(key(process.pid()), key -> resident(process.pid())));
    }

    String key(long pid) {
        return Long.toString(pid);
    }

    @Nullable
    Long resident(long pid) {
        return Memory.resident(pid).orElse(null);
    }

    boolean interrupted() {
        return interrupted.getAsBoolean();
    }

    /** All that this comparison accounts for: the system, itself and the load's process. */
    List<Long> pids(long load) {
        List<Long> pids = new ArrayList<>();
        pids.add(load);
        target.processes().forEach(process -> pids.add(process.pid()));
        pids.add(ProcessHandle.current().pid());
        return pids;
    }

    /** How long to wait for the generator's next word. */
    double patience(@Nullable Slot slot) {
        return slot == null ? PATIENCE : PATIENCE + 2 * (slot.warmUp().maxSeconds() + slot.allSeconds());
    }

    void expect(double seconds) {
        secondsLeft = seconds;
    }

    /** @param begins whether the slot begins now: then it is no longer among what is left */
    void progress(Slot slot, String phase, boolean begins) {
        String doing = slot.isFirstWarmUp()
                ? "first warm-up  %s %s"
                        .formatted(slot.cell().transport(), slot.cell().shape())
                : "round %d/%d  %s %s  %s"
                        .formatted(
                                slot.round(),
                                preset.rounds(),
                                slot.cell().transport(),
                                slot.cell().shape(),
                                phase);
        if (begins) {
            progress.doing(doing, secondsLeft);
            secondsLeft -= slot.allSeconds();
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
