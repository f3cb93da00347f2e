package dev.chatterbox.comparison;

import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.comparison.remote.Deployment.CpuReading;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Role;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Measures a system that this program did not start, whose counters are sampled every few seconds only. So a slice is a
 * load that is sustained for a time, and its counters are read while nothing is under way, before it and after it.
 */
final class RemoteRun extends Run {

    private static final double LEAST_SECONDS = 10;
    private static final double MOST_SECONDS = 60;

    /** A load lasts this many times as long as the counters take to be sampled, so that idle seconds weigh little. */
    private static final double LEAST_INTERVALS = 2;

    /** A sample shows all of a load if it was taken this many seconds after the last answer. */
    static final double SETTLING_SECONDS = 1;

    /** Counters are waited for this long: twice the interval of a Prometheus that is not told another one. */
    static final double PATIENCE_SECONDS = 120;

    private static final double POLL_SECONDS = 0.5;

    private static final double WARM_UP_SLICE = 5;

    private final Deployment deployment;
    private final Injectors injectors;
    private final double settling;
    private final double patience;

    /** The last readings, by process. */
    private final Map<String, CpuReading> readings = new HashMap<>();

    private double loadSeconds = LEAST_SECONDS;

    /**
     * @param settling seconds from the last answer to the first sample that shows all of a load
     * @param patience seconds after which counters are not waited for any longer
     */
    RemoteRun(
            Deployment deployment,
            Injectors injectors,
            ProgressLine progress,
            double settling,
            double patience,
            BooleanSupplier interrupted) {
        super(1, new BlockCounts(List.of(deployment.target()), target -> deployment.counts()), progress, interrupted);
        this.deployment = deployment;
        this.injectors = injectors;
        this.settling = settling;
        this.patience = patience;
    }

    /**
     * @throws java.io.UncheckedIOException Prometheus does not answer
     * @throws ProcessException no generator is left
     */
    @Override
    void measure(Preset preset, Cells cells, Blocks blocks, Runnable afterBlock) {
        List<Subject> variants = deployment.target().variants().stream()
                .map(variant -> variant.variant().name())
                .map(variant -> new Subject(
                        "",
                        deployment.target(),
                        variant,
                        false,
                        preset.headline().get(0)))
                .toList();
        preset.warmUpLoad()
                .ifPresent(load -> variants.forEach(
                        variant -> warmUp(variant.under(load), preset.effort().warmUpSeconds())));
        double waited = awaitSamples(current(deployment.counters().keySet()), new LinkedHashSet<>());
        loadSeconds = Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, Math.ceil(LEAST_INTERVALS * waited)));
        List<CellLog> all = preset.workloads().stream()
                .flatMap(workload -> variants.stream()
                        .filter(variant -> variant.has(workload.mode()))
                        .map(variant -> cells.of(
                                variant.under(workload), preset.headline().contains(workload))))
                .toList();
        all.forEach(cell -> {
            cell.expect(loadSeconds + waited);
            unknown(cell.subject()).forEach(name -> cell.doubt("the CPU time of %s is not known".formatted(name)));
            if (preset.warmUpLoad().isEmpty()) {
                cell.doubt(COLD);
            }
        });
        progress.always("Counters were sampled within %.0f s, so a load is sustained for %.0f s, and a block takes %s."
                .formatted(waited, loadSeconds, Numbers.time(all.size() * (loadSeconds + waited))));
        counts.begin();
        blocks.run(this, all, afterBlock);
    }

    private List<String> unknown(Subject subject) {
        List<String> unknown = new ArrayList<>(deployment.unknown());
        unknown.retainAll(processes(subject).values());
        return unknown;
    }

    /** Nobody can see from here whether the JIT compilers of the target have work left, so the time decides. */
    private void warmUp(Subject subject, double atMost) {
        long begin = System.nanoTime();
        progress.doing("warming up " + subject.variant(), atMost);
        while (!interrupted() && WarmUp.seconds(begin) + WARM_UP_SLICE <= atMost) {
            carryOut(subject, Slice.WARM_UP, WARM_UP_SLICE);
        }
    }

    private Injectors.Together carryOut(Subject subject, String name, double seconds) {
        String aggregator = deployment.aggregator().address().toString();
        Slice slice = subject.slice(name, start, 0, seconds, aggregator);
        return injectors.carryOut(slice, Duration.ofMillis((long) (1e3 * seconds) + 60_000));
    }

    @Override
    void slices(List<CellLog> cells, int block, double expectedSeconds) {
        cells.forEach(cell -> slice(cell, block));
    }

    private void slice(CellLog cell, int block) {
        Subject subject = cell.subject();
        Map<String, String> processes = processes(subject);
        Map<String, CpuReading> before = current(processes.values());
        Injectors.Together together = carryOut(subject, "block-" + block, loadSeconds);
        SliceResult result = together.result();
        counts.add(subject, result);
        Set<String> reasons = new LinkedHashSet<>(together.lost());
        if (!reasons.isEmpty()) {
            counts.missing(subject.target());
        }
        awaitSamples(before, reasons);
        Map<String, Long> cpu = new LinkedHashMap<>();
        Map<String, Long> memory = new LinkedHashMap<>();
        processes.forEach((role, process) -> {
            CpuReading now = readings.get(process);
            if (now != null) {
                OptionalLong nanos = now.nanosSince(before.getOrDefault(process, now));
                if (nanos.isEmpty()) {
                    reasons.add("a process of %s began, ended or was replaced".formatted(process));
                }
                cpu.put(role, nanos.orElse(0));
                deployment.memory(process).ifPresent(bytes -> memory.put(role, bytes));
            }
        });
        if (cpu.size() < processes.size()) {
            // The others alone would be no cost.
            cpu.clear();
        }
        cell.add(1, block, result, true, new CellLog.Use(cpu, 0, false, memory), reasons);
        cell.addLatency(result);
    }

    /** The counters of these processes, and of calls, as they were sampled last, of replicas that still run. */
    private Map<String, CpuReading> current(Collection<String> processes) {
        Map<String, CpuReading> current = new LinkedHashMap<>();
        Stream.concat(processes.stream(), Stream.of(Deployment.COUNTED))
                .filter(deployment.counters()::containsKey)
                .forEach(process -> {
                    CpuReading now = deployment.cpu(process);
                    current.put(process, now.of(readings.getOrDefault(process, now)));
                });
        return current;
    }

    /**
     * Waits until all counters have been sampled after now, while nothing is under way, and reads them.
     *
     * @param before the counters; a replica that is not among them is not waited for
     * @param reasons gets a sentence about each that was not sampled in time
     * @return how many seconds that took
     */
    private double awaitSamples(Map<String, CpuReading> before, Set<String> reasons) {
        long end = System.nanoTime();
        pause(1 + settling);
        before.forEach((process, counters) -> {
            CpuReading now = deployment.cpu(process, WarmUp.seconds(end) - settling);
            while (!now.covers(counters) && !interrupted() && WarmUp.seconds(end) < patience) {
                pause(POLL_SECONDS);
                now = deployment.cpu(process, WarmUp.seconds(end) - settling);
            }
            if (!now.covers(counters)) {
                reasons.add("the counters of %s were not sampled after the load".formatted(process));
            }
            readings.put(process, now);
        });
        return WarmUp.seconds(end);
    }

    @Override
    OptionalDouble endBlock() {
        Set<String> counted = deployment.counts().squares().keySet();
        deployment.target().variants().stream()
                .flatMap(variant -> variant.responder().stream())
                .map(Target.Service::name)
                .filter(name -> !counted.contains(name))
                .forEach(name -> doubts.add("What %s has counted is not known.".formatted(name)));
        return OptionalDouble.empty();
    }

    private static Map<String, String> processes(Subject subject) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put(Role.AGGREGATOR, subject.target().aggregator().name());
        subject.variantTarget().responder().ifPresent(process -> names.put(Role.RESPONDER, process.name()));
        subject.variantTarget().brokers().forEach(process -> names.put(Role.BROKER, process.name()));
        return names;
    }

    @Override
    void kill() {
        injectors.kill();
    }

    @Override
    public void close() {
        injectors.close();
    }
}
