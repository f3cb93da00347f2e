package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.CallReading;
import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.testbed.Target;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Measures a system that this program did not start, whose counters are sampled every few seconds only. So a slice is a
 * load that is sustained for a time, and its counters are read while nothing is under way, before it and after it.
 */
final class Plateaus {

    private static final double LEAST_SECONDS = 10;

    /** A load lasts for this many sampling intervals, so that the idle seconds around it weigh little. */
    private static final double LEAST_INTERVALS = 2;

    /** A sample shows all of a load if it was taken this many seconds after the last answer. */
    private static final double SETTLING_SECONDS = 1;

    /** A counter that was not sampled for this many intervals is not waited for any longer. */
    private static final double PATIENCE_INTERVALS = 3;

    private static final double POLL_SECONDS = 0.5;

    private static final double WARM_UP_SLICE = 5;

    private final Deployment deployment;
    private final Preset preset;
    private final Cells cells;
    private final Random order;
    private final Injectors injectors;
    private final ProgressLine progress;
    private final Display display;
    private final BooleanSupplier interrupted;
    private final Ledger ledger = new Ledger();
    private final Set<String> doubts = new LinkedHashSet<>();

    /** The longest time between two samples of a counter that were seen, in seconds. */
    private double interval = 1;

    /** @param order draws the order of slices */
    Plateaus(
            Deployment deployment,
            Preset preset,
            Cells cells,
            Random order,
            Injectors injectors,
            ProgressLine progress,
            Display display,
            BooleanSupplier interrupted) {
        this.deployment = deployment;
        this.preset = preset;
        this.cells = cells;
        this.order = order;
        this.injectors = injectors;
        this.progress = progress;
        this.display = display;
        this.interrupted = interrupted;
    }

    Counts counts() {
        return ledger.counts();
    }

    Set<String> doubts() {
        return doubts;
    }

    /**
     * Warms up, and measures blocks until the ratios are known or the time is up.
     *
     * @param afterBlock called between a whole block and the next one
     * @throws ComparisonException Prometheus does not answer between two slices, or no generator is left
     */
    void run(Runnable afterBlock) {
        Workload first = preset.headline().get(0);
        List<Subject> rows = deployment.target().rows().stream()
                .map(row -> row.row().name())
                .map(row -> new Subject(Optional.empty(), deployment.target(), row, false, first))
                .toList();
        rows.forEach(this::warmUp);
        List<CellLog> all = preset.workloads().stream()
                .flatMap(workload -> rows.stream()
                        .filter(row -> row.has(workload.exchange()))
                        .map(row ->
                                cells.add(row.under(workload), preset.headline().contains(workload))))
                .toList();
        all.forEach(this::doubt);
        try {
            interval = deployment.interval();
            double end = deployment.time();
            for (Target.Process process : deployment.target().processes()) {
                awaitSamples(process.name(), end, end, doubts);
            }
            display.line("Counters are sampled every %.0f s, so a load is sustained for %.0f s, and a block takes %s."
                    .formatted(Math.ceil(interval), loadSeconds(), FigureText.time(blockSeconds(all.size()))));
            blocks(all, afterBlock);
        } catch (IOException e) {
            throw new ComparisonException(e.getMessage() + ".");
        }
    }

    private void blocks(List<CellLog> all, Runnable afterBlock) throws IOException {
        List<CellLog> headline = all.stream().filter(CellLog::isHeadline).toList();
        List<CellLog> withCost = headline.stream()
                .filter(cell -> unknown(cell.subject()).isEmpty())
                .toList();
        long begin = System.nanoTime();
        for (int block = 1; !interrupted.getAsBoolean(); block++) {
            List<CellLog> now = block % Blocks.EVERY == 1 ? all : headline;
            double left = preset.seconds() - (System.nanoTime() - begin) / 1e9;
            boolean enough = block > Math.max(preset.blocks(), Estimator.LEAST_BLOCKS)
                    && Blocks.isNarrowEnough(withCost, preset.width());
            if (enough || block > 1 && blockSeconds(now.size()) > left) {
                return;
            }
            block(block, new ArrayList<>(now), left);
            if (!interrupted.getAsBoolean()) {
                afterBlock.run();
            }
        }
    }

    private void doubt(CellLog cell) {
        cell.doubt(unknown(cell.subject()).stream()
                .map("the CPU time of %s is not known"::formatted)
                .toList());
        if (preset.warmUpLoad().isEmpty()) {
            cell.doubt(List.of("nothing was warmed up"));
        }
    }

    private List<String> unknown(Subject subject) {
        List<String> unknown = new ArrayList<>(deployment.unknown());
        unknown.retainAll(processes(subject).values());
        return unknown;
    }

    private double loadSeconds() {
        return Math.max(LEAST_SECONDS, Math.ceil(LEAST_INTERVALS * interval));
    }

    private double blockSeconds(int slices) {
        return slices * (loadSeconds() + SETTLING_SECONDS + interval);
    }

    /** Nobody can see from here whether the JIT compilers of the target have work left, so the time decides. */
    private void warmUp(Subject row) {
        long begin = System.nanoTime();
        for (double left = preset.warmUpSeconds();
                preset.warmUpLoad().isPresent() && left >= WARM_UP_SLICE && !interrupted.getAsBoolean();
                left = preset.warmUpSeconds() - (System.nanoTime() - begin) / 1e9) {
            progress.doing("warming up " + row.row(), left);
            carryOut(row.under(preset.warmUpLoad().get()), Slice.WARM_UP, WARM_UP_SLICE);
        }
    }

    private Injectors.Together carryOut(Subject subject, String name, double seconds) {
        Slice slice = new Slice(
                "%s/1/%s".formatted(name, subject.id()),
                subject.row(),
                subject.workload(),
                0,
                seconds,
                deployment.aggregator().address().toString());
        return injectors.carryOut(slice, Duration.ofMillis((long) (1e3 * seconds) + 60_000));
    }

    private void block(int number, List<CellLog> now, double left) throws IOException {
        Collections.shuffle(now, order);
        boolean over = false;
        try {
            ServiceCounts before = deployment.counts();
            ledger.begin();
            for (int i = 0; i < now.size() && !interrupted.getAsBoolean(); i++) {
                progress.doing("block %d  %s".formatted(number, now.get(i).subject()), left - blockSeconds(i));
                slice(number, now.get(i));
            }
            over = !interrupted.getAsBoolean();
            if (over) {
                closeCounts(number, now, deployment.counts().since(before));
            }
        } finally {
            if (!over) {
                ledger.incomplete();
                now.forEach(cell -> cell.leaveOut(1, number, number > 1));
            }
        }
    }

    private void closeCounts(int block, List<CellLog> now, ServiceCounts counted) {
        deployment.target().rows().stream()
                .flatMap(row -> row.responder().stream())
                .map(Target.Service::name)
                .filter(name -> !counted.squares().containsKey(name))
                .forEach(name -> doubts.add("What %s has counted is not known.".formatted(name)));
        Map<String, List<String>> reasons = ledger.close(deployment.target(), counted);
        now.forEach(cell ->
                cell.exclude(1, block, reasons.getOrDefault(cell.subject().row(), List.of())));
    }

    private void slice(int block, CellLog cell) throws IOException {
        Subject subject = cell.subject();
        double begin = deployment.time();
        Injectors.Together together = carryOut(subject, "block-" + block, loadSeconds());
        double end = deployment.time();
        SliceResult result = together.result();
        ledger.add(subject, result.right(), result.failed());
        Set<String> reasons = new LinkedHashSet<>(together.lost());
        if (!reasons.isEmpty()) {
            ledger.missing();
        }
        long calls = result.right() * subject.workload().calls();
        Map<String, Long> cpu = new LinkedHashMap<>();
        Map<String, Long> memory = new LinkedHashMap<>();
        for (Map.Entry<String, String> process : processes(subject).entrySet()) {
            awaitSamples(process.getValue(), begin, end, reasons);
            if (deployment.counters().containsKey(process.getValue())) {
                cpu.put(process.getKey(), deployment.cpuNanos(process.getValue(), begin, reasons));
                memory.put(process.getKey(), deployment.memory(process.getValue()));
            }
        }
        memory.values().removeIf(bytes -> bytes == 0);
        if (!unknown(subject).isEmpty()) {
            // The others alone would be no cost.
            cpu.clear();
        }
        if (result.failed() > 0) {
            reasons.add("%d of the requests failed %s".formatted(result.failed(), result.failures()));
        }
        if (result.right() == 0) {
            reasons.add("no request was answered right");
        }
        cell.add(
                new SliceFigures(
                        1,
                        block,
                        result.seconds(),
                        null,
                        result.right(),
                        calls,
                        cpu,
                        0,
                        0,
                        subject.workload().isOpen() ? Double.valueOf(result.right() / result.seconds()) : null,
                        result.busiestThread(),
                        false,
                        Map.copyOf(memory),
                        List.copyOf(reasons)),
                result);
        cell.addCalls(result, CallReading.NONE);
    }

    /**
     * Waits until the counters of a process show all of a load, from its begin to its end.
     *
     * @param reasons gets a sentence if they do not in time
     */
    private void awaitSamples(String process, double begin, double end, Set<String> reasons) throws IOException {
        double patience = SETTLING_SECONDS + PATIENCE_INTERVALS * interval;
        while (!(deployment.sampledUntil(process, begin - patience) >= end + SETTLING_SECONDS)) {
            if (interrupted.getAsBoolean() || deployment.time() > end + patience) {
                reasons.add("the counters of %s were not sampled after the load".formatted(process));
                return;
            }
            Run.pause(POLL_SECONDS);
        }
    }

    private static Map<String, String> processes(Subject subject) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put(Role.AGGREGATOR, subject.target().aggregator().name());
        subject.rowTarget().responder().ifPresent(process -> names.put(Role.RESPONDER, process.name()));
        subject.rowTarget().brokers().forEach(process -> names.put(Role.BROKER, process.name()));
        return names;
    }
}
