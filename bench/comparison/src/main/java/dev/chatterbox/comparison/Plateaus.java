package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.CallReading;
import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.comparison.testbed.Target;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceFigures;
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
 * plateau: a load that is held for a time. What a call costs is the quotient of two rates over the plateau: processors
 * used, from each process's first to its last sample, and calls made, from the aggregator's first to its last sample.
 */
final class Plateaus {

    private static final double LEAST_SECONDS = 20;

    /** A plateau has at least so many samples of the counter that is sampled least often. */
    private static final double LEAST_SAMPLES = 10;

    /** The first second of a load is no plateau yet. */
    private static final double RISE_SECONDS = 1;

    /** After a block, all counts stand still; so many sampling intervals later the samples show them. */
    private static final double SETTLING_SAMPLES = 2;

    /** A sample can be asked for so many seconds after it was taken. */
    private static final double DELAY_SECONDS = 1;

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

    /** @param order draws the order of plateaus */
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
     * Warms up, finds how often counters are sampled, and measures blocks until the ratios are known or the time is up.
     *
     * @param afterBlock called between a whole block and the next one
     */
    void run(Runnable afterBlock) {
        doubts.addAll(deployment.missing());
        List<Subject> rows = deployment.target().rows().stream()
                .map(row -> subject(row, preset.headline().get(0)))
                .toList();
        findInterval();
        rows.forEach(this::warmUp);
        findInterval();
        List<CellLog> all = preset.workloads().stream()
                .flatMap(workload -> rows.stream()
                        .filter(row -> row.has(workload.exchange()))
                        .map(row ->
                                cells.add(row.under(workload), preset.headline().contains(workload))))
                .toList();
        all.forEach(this::doubt);
        List<CellLog> headline = all.stream().filter(CellLog::isHeadline).toList();
        List<CellLog> withCost = headline.stream()
                .filter(cell -> processes(cell.subject()).values().stream().allMatch(deployment::knowsCpuOf))
                .toList();
        display.line("Counters are sampled every %.0f s, so a plateau takes %.0f s, and a block %s."
                .formatted(Math.ceil(interval), plateauSeconds(), FigureText.time(blockSeconds(all.size()))));
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
        cell.doubt(processes(cell.subject()).values().stream()
                .filter(process -> !deployment.knowsCpuOf(process))
                .map("nobody tells the CPU time of %s"::formatted)
                .toList());
        if (preset.warmUpLoad().isEmpty()) {
            cell.doubt(List.of("nothing was warmed up"));
        }
    }

    private void findInterval() {
        try {
            interval = Math.max(1, deployment.interval());
        } catch (IOException e) {
            throw new ComparisonException(e.getMessage() + ".");
        }
    }

    private double plateauSeconds() {
        return Math.max(LEAST_SECONDS, Math.ceil(LEAST_SAMPLES * interval));
    }

    private double blockSeconds(int plateaus) {
        return plateaus * (RISE_SECONDS + plateauSeconds() + DELAY_SECONDS + injectors.secondsAhead())
                + 2 * (SETTLING_SAMPLES * interval + DELAY_SECONDS);
    }

    private Subject subject(Target.RowTarget row, Workload workload) {
        return new Subject(Optional.empty(), deployment.target(), row.row().name(), false, workload);
    }

    /** Nobody can see from here whether the JIT compilers of the target have work left, so the time decides. */
    private void warmUp(Subject row) {
        if (preset.warmUpLoad().isEmpty()) {
            return;
        }
        double end = deployment.now() + preset.warmUpSeconds();
        while (!interrupted.getAsBoolean() && deployment.now() + WARM_UP_SLICE <= end) {
            progress.doing("warming up " + row.row(), end - deployment.now());
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

    private void block(int number, List<CellLog> now, double left) {
        Collections.shuffle(now, order);
        boolean over = false;
        try {
            Optional<Deployment.Totals> before = totals();
            ledger.begin();
            double rest = left;
            for (CellLog cell : now) {
                if (interrupted.getAsBoolean()) {
                    break;
                }
                progress.doing("block %d  %s".formatted(number, cell.subject()), rest);
                plateau(number, cell);
                rest -= blockSeconds(1);
            }
            over = !interrupted.getAsBoolean();
            if (over) {
                closeCounts(number, now, before, totals());
            }
        } finally {
            if (!over) {
                ledger.incomplete();
                now.forEach(cell -> cell.leaveOut(1, number, number > 1));
            }
        }
    }

    /** The services' counts, once no load is under way and the samples show it; empty if they cannot be read. */
    private Optional<Deployment.Totals> totals() {
        pause(SETTLING_SAMPLES * interval + DELAY_SECONDS);
        try {
            return Optional.of(deployment.totals(interval));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void closeCounts(
            int block, List<CellLog> now, Optional<Deployment.Totals> before, Optional<Deployment.Totals> after) {
        if (before.isEmpty() || after.isEmpty()) {
            ledger.incomplete();
            now.forEach(cell -> cell.exclude(1, block, List.of("the services' own counts could not be read")));
            return;
        }
        ServiceCounts counted = after.get().since(before.get());
        deployment.target().rows().stream()
                .flatMap(row -> row.responder().stream())
                .map(Target.Service::name)
                .filter(name -> !counted.squares().containsKey(name))
                .forEach(name -> doubts.add("Nobody tells what %s has counted.".formatted(name)));
        Map<String, List<String>> reasons = ledger.close(deployment.target(), counted);
        now.forEach(cell ->
                cell.exclude(1, block, reasons.getOrDefault(cell.subject().row(), List.of())));
    }

    private void plateau(int block, CellLog cell) {
        Subject subject = cell.subject();
        double from = deployment.now() + injectors.secondsAhead() + RISE_SECONDS;
        double to = from + plateauSeconds();
        Injectors.Together together = carryOut(subject, "block-" + block, RISE_SECONDS + plateauSeconds());
        SliceResult result = together.result();
        ledger.add(subject, result.right(), result.failed());
        pause(DELAY_SECONDS);
        Set<String> reasons = new LinkedHashSet<>(together.lost());
        if (!reasons.isEmpty()) {
            ledger.missing();
        }
        long calls = result.right() * subject.workload().calls();
        Map<String, Long> cpu = new LinkedHashMap<>();
        Map<String, Long> memory = new LinkedHashMap<>();
        try {
            cpu.putAll(cpu(subject, from, to, calls, reasons));
            for (Map.Entry<String, String> process : processes(subject).entrySet()) {
                long bytes = deployment.memory(process.getValue(), from, to);
                if (bytes > 0) {
                    memory.put(process.getKey(), bytes);
                }
            }
        } catch (IOException e) {
            reasons.add("its counters could not be read: " + e.getMessage());
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
                        result.messageSeconds(),
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

    /** CPU nanoseconds of the slice's calls by role; empty if they are not known for every process. */
    private Map<String, Long> cpu(Subject subject, double from, double to, long calls, Set<String> reasons)
            throws IOException {
        Map<String, Long> cpu = new LinkedHashMap<>();
        for (Map.Entry<String, String> process : processes(subject).entrySet()) {
            if (!deployment.knowsCpuOf(process.getValue())) {
                return Map.of();
            }
            List<String> why = new ArrayList<>();
            double nanos = deployment.nanosPerCall(process.getValue(), subject.row(), from, to, interval, why);
            reasons.addAll(why);
            if (!Double.isFinite(nanos)) {
                reasons.add("the CPU time of %s is not known".formatted(process.getValue()));
                return Map.of();
            }
            cpu.put(process.getKey(), Math.round(nanos * calls));
        }
        return cpu;
    }

    /** Waits, but not after an interruption. */
    private void pause(double seconds) {
        long end = System.nanoTime() + (long) (1e9 * seconds);
        while (!interrupted.getAsBoolean() && System.nanoTime() < end) {
            Run.pause(0.1);
        }
    }

    private static Map<String, String> processes(Subject subject) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put(Role.AGGREGATOR, Deployment.AGGREGATOR);
        subject.rowTarget().responder().ifPresent(process -> names.put(Role.RESPONDER, process.name()));
        subject.rowTarget().brokers().forEach(process -> names.put(Role.BROKER, process.name()));
        return names;
    }
}
