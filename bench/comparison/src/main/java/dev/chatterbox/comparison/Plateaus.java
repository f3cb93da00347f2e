package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.CallReading;
import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.comparison.remote.Series;
import dev.chatterbox.comparison.target.Target;
import dev.chatterbox.results.Counts;
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
import java.util.OptionalDouble;
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

    /** If a series begins later, or ends earlier, by more than so many samples, its process began or ended. */
    private static final double MISSING_SAMPLES = 3;

    /** After a block, all counts stand still; so many sampling intervals later the samples show them. */
    private static final double SETTLING_SAMPLES = 2;

    /** A sample can be asked for so many seconds after it was taken. */
    private static final double DELAY_SECONDS = 1;

    private static final double WARM_UP_SLICE = 5;

    private final Deployment deployment;
    private final Preset preset;
    private final Cells cells;
    private final Random order;
    private final Worker generator;
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
            Worker generator,
            ProgressLine progress,
            Display display,
            BooleanSupplier interrupted) {
        this.deployment = deployment;
        this.preset = preset;
        this.cells = cells;
        this.order = order;
        this.generator = generator;
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

    /** Warms up, finds how often counters are sampled, and measures blocks until the ratios are known or the time is up. */
    void run() {
        doubts.addAll(deployment.missing());
        List<Subject> rows = deployment.target().rows().stream()
                .map(row -> subject(row, preset.headline().get(0)))
                .toList();
        rows.forEach(this::warmUp);
        List<CellLog> all = preset.workloads().stream()
                .flatMap(workload -> rows.stream()
                        .filter(row -> row.has(workload.exchange()))
                        .map(row ->
                                cells.add(row.under(workload), preset.headline().contains(workload))))
                .toList();
        all.forEach(cell -> cell.doubt(processes(cell.subject()).values().stream()
                .filter(process -> !deployment.clocks().containsKey(process))
                .map("nobody tells the CPU time of %s"::formatted)
                .toList()));
        double seconds = plateauSeconds();
        display.line("Counters are sampled every %.0f s, so a plateau takes %.0f s, and a block %.0f min."
                .formatted(Math.ceil(interval), seconds, Math.ceil(all.size() * blockSeconds(1) / 60)));
        long begin = System.nanoTime();
        for (int block = 1; !interrupted.getAsBoolean(); block++) {
            List<CellLog> now = block % Blocks.EVERY == 1
                    ? all
                    : all.stream().filter(CellLog::isHeadline).toList();
            double left = preset.seconds() - (System.nanoTime() - begin) / 1e9;
            boolean enough = block > Math.max(preset.blocks(), 4) && Blocks.isNarrowEnough(all, preset.width());
            if (now.isEmpty() || enough || block > 1 && blockSeconds(now.size()) > left) {
                return;
            }
            block(block, new ArrayList<>(now), left);
        }
    }

    private double plateauSeconds() {
        return Math.max(LEAST_SECONDS, Math.ceil(LEAST_SAMPLES * interval));
    }

    private double blockSeconds(int plateaus) {
        return plateaus * (plateauSeconds() + RISE_SECONDS + DELAY_SECONDS) + 2 * SETTLING_SAMPLES * interval;
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
        double begin = deployment.now();
        while (!interrupted.getAsBoolean() && deployment.now() + WARM_UP_SLICE <= end) {
            progress.doing("warming up " + row.row(), end - deployment.now());
            carryOut(row.under(preset.warmUpLoad().get()), Slice.WARM_UP, WARM_UP_SLICE);
        }
        try {
            for (String process : processes(row).values()) {
                deployment
                        .cpu(process, begin, deployment.now())
                        .forEach(series -> interval = Math.max(interval, series.longestGap()));
            }
            deployment
                    .calls(row.row(), begin, deployment.now())
                    .forEach(series -> interval = Math.max(interval, series.longestGap()));
        } catch (IOException e) {
            throw new ComparisonException(e.getMessage() + ".");
        }
    }

    private SliceResult carryOut(Subject subject, String name, double seconds) {
        Slice slice = new Slice(
                "%s/1/%s".formatted(name, subject.id()),
                subject.row(),
                subject.workload(),
                0,
                seconds,
                deployment.aggregator().address().toString());
        return generator.carryOut(slice, Duration.ofMillis((long) (1e3 * seconds) + 60_000));
    }

    private void block(int number, List<CellLog> now, double left) {
        Collections.shuffle(now, order);
        boolean over = false;
        try {
            Run.pause(SETTLING_SAMPLES * interval + DELAY_SECONDS);
            ServiceCounts before = deployment.counts(deployment.now());
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
                Run.pause(SETTLING_SAMPLES * interval + DELAY_SECONDS);
                Map<String, List<String>> reasons = ledger.close(
                        deployment.target(), deployment.counts(deployment.now()).since(before));
                now.forEach(cell -> cell.exclude(
                        1, number, reasons.getOrDefault(cell.subject().row(), List.of())));
            }
        } catch (IOException e) {
            throw new ComparisonException(e.getMessage() + ".");
        } finally {
            if (!over) {
                ledger.incomplete();
                now.forEach(cell -> cell.leaveOut(1, number, number > 1));
            }
        }
    }

    private void plateau(int block, CellLog cell) throws IOException {
        Subject subject = cell.subject();
        double begin = deployment.now();
        SliceResult result = carryOut(subject, "block-" + block, plateauSeconds() + RISE_SECONDS);
        ledger.add(subject, result.right(), result.failed());
        double from = begin + RISE_SECONDS;
        double to = from + plateauSeconds();
        Run.pause(DELAY_SECONDS);
        List<String> reasons = new ArrayList<>();
        OptionalDouble calls = rate(deployment.calls(subject.row(), from, to), from, to, "its calls", reasons);
        Map<String, Long> cpu = new LinkedHashMap<>();
        Map<String, Long> memory = new LinkedHashMap<>();
        long all = result.right() * subject.workload().calls();
        boolean whole = calls.isPresent() && calls.getAsDouble() > 0;
        for (Map.Entry<String, String> process : processes(subject).entrySet()) {
            if (!deployment.clocks().containsKey(process.getValue())) {
                whole = false;
                continue;
            }
            OptionalDouble units =
                    rate(deployment.cpu(process.getValue(), from, to), from, to, process.getValue(), reasons);
            if (units.isPresent() && whole) {
                double unit = deployment.clocks().get(process.getValue()).unit();
                cpu.put(process.getKey(), Math.round(1e9 * unit * units.getAsDouble() / calls.getAsDouble() * all));
            }
            long bytes = deployment.memory(process.getValue(), from, to);
            if (bytes > 0) {
                memory.put(process.getKey(), bytes);
            }
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
                        result.fullSeconds(),
                        result.fullRight(),
                        result.right(),
                        all,
                        whole ? cpu : Map.of(),
                        0,
                        0,
                        subject.workload().isOpen() ? Double.valueOf(result.right() / result.seconds()) : null,
                        result.busiestThread(),
                        false,
                        reasons),
                result,
                memory);
        cell.addCalls(result, CallReading.NONE);
    }

    /** The rate of a counter summed over the replicas; says why if a replica began or ended in the plateau. */
    private OptionalDouble rate(List<Series> replicas, double from, double to, String of, List<String> reasons) {
        double allowed = MISSING_SAMPLES * interval;
        double sum = 0;
        for (Series replica : replicas) {
            double first = replica.points().get(0).seconds();
            double last = replica.points().get(replica.points().size() - 1).seconds();
            if (replica.isReset() || first > from + allowed || last < to - allowed) {
                reasons.add("a replica of %s began or ended in the plateau".formatted(of));
                return OptionalDouble.empty();
            }
            OptionalDouble rate = replica.rate();
            if (rate.isEmpty()) {
                reasons.add("%s was sampled less than twice in the plateau".formatted(of));
                return OptionalDouble.empty();
            }
            sum += rate.getAsDouble();
        }
        if (replicas.isEmpty()) {
            reasons.add("%s was not sampled in the plateau".formatted(of));
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(sum);
    }

    private static Map<String, String> processes(Subject subject) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put(Role.AGGREGATOR, Deployment.AGGREGATOR);
        subject.rowTarget().responder().ifPresent(process -> names.put(Role.RESPONDER, process.name()));
        subject.rowTarget().broker().ifPresent(process -> names.put(Role.BROKER, process.name()));
        return names;
    }
}
