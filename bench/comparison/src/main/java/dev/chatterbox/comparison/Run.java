package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.results.Role;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the parts of one comparison share. Used by one thread. */
final class Run {

    /** Seconds that a slot may take longer than foreseen: a drain waits for requests that time out. */
    private static final double PATIENCE = 90;

    private static final double IDLE_SECONDS = 3;

    final Target target;
    final Preset preset;
    final CallCounts counts = new CallCounts();
    final FirstWarmUp firstWarmUp;
    final RoundTrips roundTrips;

    private final ProgressLine progress;
    private final BooleanSupplier interrupted;

    /** What responders did wrong on demand, by responder; only those that did, and the most that was seen of each. */
    private final Map<String, Map<String, Double>> faults = new TreeMap<>();

    /** Resident bytes before the run, by pid. */
    private final Map<Long, Long> idle = new HashMap<>();

    /** Processors used when nothing is called, by pid. */
    private final Map<Long, Double> idleCpu = new HashMap<>();

    private final Map<CellPlan, Double> took = new HashMap<>();
    private @Nullable Slot current;
    private long begun;

    private @Nullable Double generatorIdle;
    private double secondsLeft;

    Run(Target target, Preset preset, ProgressLine progress, BooleanSupplier interrupted) {
        this.target = target;
        this.preset = preset;
        this.firstWarmUp = new FirstWarmUp(preset.timing().firstWarmUp());
        this.roundTrips = new RoundTrips(target.network().map(Network::links).orElse(List.of()));
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

    /**
     * Measures once what the processes use when nothing is called, and how long the round trips of the network's links
     * are then; returns after that time.
     *
     * @param generator its pid; empty where it does not run yet
     */
    void measureIdle(Optional<Long> generator) {
        if (!idleCpu.isEmpty() || interrupted()) {
            return;
        }
        progress.doing("measuring what the processes use when nothing is called");
        List<Long> pids = new ArrayList<>();
        target.processes().forEach(process -> pids.add(process.pid()));
        generator.ifPresent(pids::add);
        CpuSnapshot begin = CpuSnapshot.of(pids);
        pause(Math.min(IDLE_SECONDS, preset.timing().windowSeconds()));
        CpuSnapshot end = CpuSnapshot.of(pids);
        for (Long pid : pids) {
            Double use = end.use(pid, begin);
            if (use != null) {
                idleCpu.put(pid, use);
            }
        }
        generator.ifPresent(pid -> generatorIdle = idleCpu.get(pid));
        distances(preset).forEach(millis -> {
            setDistance(millis);
            roundTrips.measureIdle(millis);
        });
    }

    /** Those that are measured, the shortest first. */
    static Set<Integer> distances(Preset preset) {
        return preset.workloads().stream().map(Workload::distanceMillis).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Does nothing where there is no network: then there is no other distance than 0. */
    void setDistance(int millis) {
        target.network().ifPresent(network -> network.setDistance(millis));
    }

    /** Processors used when nothing is called, by the name of the process. */
    Map<String, Double> idleCpu() {
        Map<String, Double> byName = new TreeMap<>();
        for (Target.Process process : target.processes()) {
            Double use = Statistics.rounded(idleCpu.get(process.pid()));
            if (use != null) {
                byName.put(process.name(), use);
            }
        }
        Double generator = Statistics.rounded(generatorIdle);
        if (generator != null) {
            byName.put(Role.GENERATOR, generator);
        }
        return byName;
    }

    /** Of the processes that a row's system consists of; null if one of them was not measured. */
    @Nullable
    Double idleCpuOf(Target.RowTarget row) {
        List<@Nullable Double> parts = new ArrayList<>();
        parts.add(idleCpu.get(target.aggregator().pid()));
        row.responder().ifPresent(responder -> parts.add(idleCpu.get(responder.pid())));
        row.broker().ifPresent(broker -> parts.add(idleCpu.get(broker.pid())));
        return Statistics.sum(parts);
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
    CpuSnapshot snapshot(long load) {
        List<Long> pids = new ArrayList<>();
        pids.add(load);
        target.processes().forEach(process -> pids.add(process.pid()));
        pids.add(ProcessHandle.current().pid());
        return CpuSnapshot.of(pids);
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
                ? "warm-up before the first round  " + slot.cell()
                : "round %d/%d  %s  %s".formatted(slot.round(), preset.rounds(), slot.cell(), phase);
        if (begins) {
            learn();
            current = slot;
            begun = System.nanoTime();
            progress(doing, took.getOrDefault(slot.cell(), slot.allSeconds()));
        } else {
            progress.doing(doing);
        }
    }

    /**
     * The first round tells how long the others will take: the drain of many calls over a slow row is longer than the
     * window.
     */
    private void learn() {
        Slot ended = current;
        if (ended != null && ended.round() == 1) {
            double seconds = (System.nanoTime() - begun) / 1e9;
            took.put(ended.cell(), seconds);
            secondsLeft += (preset.rounds() - 1) * (seconds - ended.allSeconds());
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
