package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One start of the stack, or of two stacks: has slices carried out, and reads clocks and counts around them. */
final class Run implements AutoCloseable {

    /** What comes after the last answer, acknowledgements, commits, collections and compilers, belongs to the slice. */
    private static final double TAIL_SECONDS = 0.1;

    /** A request is given up after 30 s. */
    private static final double PATIENCE_SECONDS = 60;

    private static final double LEAST_SLICE_SECONDS = 0.05;

    private final int start;
    private final List<Target> targets;
    private final Worker generator;
    private final Map<String, Worker> bareClients = new HashMap<>();
    private final Clocks clocks;
    private final Map<Target, Ledger> ledgers;
    private final Map<Target, ServiceCounts> counted = new HashMap<>();
    private final Map<String, LatencyBuckets> callLatencies = new HashMap<>();
    private final Map<String, Long> idleNanos = new HashMap<>();
    private long idleTime;
    private final RoundTrips roundTrips;
    private final ProgressLine progress;
    private final Display display;
    private final BooleanSupplier interrupted;
    private double secondsLeft;

    Run(
            int start,
            List<Target> targets,
            Worker generator,
            Map<Target, Ledger> ledgers,
            Clocks clocks,
            RoundTrips roundTrips,
            ProgressLine progress,
            Display display,
            BooleanSupplier interrupted) {
        this.start = start;
        this.targets = targets;
        this.generator = generator;
        this.ledgers = ledgers;
        this.clocks = clocks;
        this.roundTrips = roundTrips;
        this.progress = progress;
        this.display = display;
        this.interrupted = interrupted;
        targets.forEach(target -> target.processes().forEach(process -> clocks.watch(List.of(process.pid()))));
        clocks.watch(List.of(generator.pid(), ProcessHandle.current().pid()));
        clocks.read();
        closeBlock(new ArrayList<>(), 0);
    }

    Worker generator() {
        return generator;
    }

    int start() {
        return start;
    }

    boolean interrupted() {
        return interrupted.getAsBoolean();
    }

    /** Keeps a bare client for the run; it is ended with it. */
    void keep(Subject bare, Worker client) {
        bareClients.put(bare.id(), client);
        clocks.watch(List.of(client.pid()));
    }

    boolean has(Subject bare) {
        return bareClients.containsKey(bare.id());
    }

    private Slice slice(Subject subject, int block, long requests, double seconds) {
        return new Slice(
                "%d.%d/%s".formatted(start, block, subject.id()),
                subject.row(),
                subject.workload(),
                requests,
                seconds,
                "http://127.0.0.1:" + subject.target().aggregator().port());
    }

    /** How long to wait for the result of a slice that should take so many seconds. */
    Duration patience(double seconds) {
        return Duration.ofMillis((long) (1e3 * (PATIENCE_SECONDS + 10 * seconds)));
    }

    /** A slice ended whose figures nobody wants; its calls count. */
    void counted(Subject subject, SliceResult result) {
        ledgers.get(subject.target()).add(subject, result.right(), result.failed());
    }

    /**
     * Finds how many requests take so many seconds: at least four a user, and of one user at least 2000 calls or a
     * second.
     *
     * @return right requests a second, and the requests of a slice
     */
    Calibration calibrate(Subject subject, double seconds) {
        Worker worker = worker(subject);
        double least = subject.workload().load() instanceof Load.Users users ? 4.0 * users.count() : 4;
        double perSecond = 0;
        // The second look has the length that the first one found.
        for (double length = seconds / 2; length <= seconds && !interrupted(); length *= 2) {
            Slice probe = subject.bare()
                    ? slice(subject, 0, perSecond == 0 ? 20_000 : (long) (perSecond * length), 0)
                    : slice(subject, 0, 0, length);
            SliceResult result = worker.carryOut(probe, patience(length));
            counted(subject, result);
            perSecond = result.fullSeconds() < LEAST_SLICE_SECONDS / 10
                    ? result.right() / Math.max(1e-6, result.seconds())
                    : result.fullRight() / result.fullSeconds();
        }
        double requests = Math.max(least, perSecond * seconds);
        if (subject.workload().load() instanceof Load.Users users && users.count() == 1 && !subject.bare()) {
            double alone = Math.min(2000.0 / subject.workload().calls(), perSecond);
            requests = Math.max(requests, alone);
        }
        return new Calibration(perSecond, (long) Math.ceil(requests));
    }

    /** What calibration found of a subject. */
    record Calibration(double perSecond, long requests) {}

    /** Has one slice carried out, and adds it to its cell. */
    void slice(CellLog cell, int block, double expectedSeconds) {
        Subject subject = cell.subject();
        Worker worker = worker(subject);
        Slice slice = slice(subject, block, cell.requests(), 0);
        CpuSnapshot before = clocks.read();
        roundTrips.start(subject);
        SliceResult result = worker.carryOut(slice, patience(expectedSeconds));
        roundTrips.stop();
        pause(TAIL_SECONDS);
        CpuSnapshot after = clocks.read();
        counted(subject, result);
        Clocks.Use use = Clocks.between(before, after);
        Map<String, Long> pids = new LinkedHashMap<>(subject.pids());
        pids.put(subject.bare() ? Role.CLIENT : Role.GENERATOR, worker.pid());
        Map<String, Long> cpu = new LinkedHashMap<>();
        pids.forEach((role, pid) -> cpu.put(role, use.nanos().getOrDefault(pid, 0L)));
        Map<String, Long> resident = new LinkedHashMap<>();
        pids.forEach((role, pid) -> ProcessMemory.resident(pid).ifPresent(bytes -> resident.put(role, bytes)));
        long others = subject.target().processes().stream()
                .filter(process -> !pids.containsValue(process.pid()))
                .mapToLong(process -> use.nanos().getOrDefault(process.pid(), 0L))
                .sum();
        List<String> reasons = new ArrayList<>();
        if (result.failed() > 0) {
            reasons.add("%d of the requests failed (%s)"
                    .formatted(
                            result.failed(),
                            String.join(
                                    ", ",
                                    result.failures().entrySet().stream()
                                            .map(kind -> kind.getKey() + ": " + kind.getValue())
                                            .sorted()
                                            .toList())));
        }
        if (result.right() == 0) {
            reasons.add("no request was answered right");
        }
        for (Map.Entry<String, Long> role : pids.entrySet()) {
            if (!after.processes().containsKey(role.getValue())) {
                reasons.add("the %s is gone".formatted(role.getKey()));
            }
        }
        cell.add(
                new SliceFigures(
                        start,
                        block,
                        result.seconds(),
                        result.fullSeconds(),
                        result.fullRight(),
                        result.right(),
                        result.right() * subject.workload().calls(),
                        cpu,
                        others,
                        subject.workload().isOpen() ? Double.valueOf(result.right() / result.seconds()) : null,
                        result.busiestThread(),
                        pids.values().stream().anyMatch(use.threadEnded()::contains),
                        reasons),
                result,
                callLatency(subject),
                resident);
    }

    /** Of the calls since the last look at this row. */
    private LatencyBuckets callLatency(Subject subject) {
        if (subject.bare()) {
            return LatencyBuckets.NONE;
        }
        try {
            LatencyBuckets now = LatencyBuckets.read(subject.target().aggregator().port(), subject.row());
            LatencyBuckets earlier = callLatencies.put(subject.side().orElse("") + subject.row(), now);
            return earlier == null ? LatencyBuckets.NONE : now.since(earlier);
        } catch (IOException e) {
            return LatencyBuckets.NONE;
        }
    }

    /** Forgets the calls of warm-up and calibration. */
    void forgetCalls(List<Subject> rows) {
        rows.forEach(this::callLatency);
    }

    private Worker worker(Subject subject) {
        return subject.bare() ? bareClients.get(subject.id()) : generator;
    }

    /** How long the round trips of the network's links are at each distance, when nothing is called. */
    void measureRoundTrips(List<Workload> workloads) {
        if (targets.stream().anyMatch(target -> target.network().isPresent())) {
            workloads.stream().map(Workload::distanceMillis).distinct().sorted().forEach(millis -> {
                targets.forEach(target -> target.setDistance(millis));
                roundTrips.measureIdle(millis);
            });
        }
    }

    /** The empty slice of a block: what the processes use when nothing is called. */
    void idle(double seconds) {
        CpuSnapshot before = clocks.read();
        pause(seconds);
        CpuSnapshot after = clocks.read();
        Clocks.Use use = Clocks.between(before, after);
        idleTime += after.nanos() - before.nanos();
        targets.forEach(target -> target.processes()
                .forEach(process -> idleNanos.merge(
                        process.name(), use.nanos().getOrDefault(process.pid(), 0L), Long::sum)));
        idleNanos.merge(Role.GENERATOR, use.nanos().getOrDefault(generator.pid(), 0L), Long::sum);
    }

    /** Processors that each process used when nothing was called, by its name. */
    Map<String, Double> idleCpu() {
        Map<String, Double> use = new LinkedHashMap<>();
        idleNanos.forEach((name, nanos) -> use.put(name, idleTime == 0 ? 0 : (double) nanos / idleTime));
        return use;
    }

    /** What a process did since the run began. */
    Results.ProcessFigures figures(long pid) {
        return clocks.figures(pid);
    }

    CpuSnapshot now() {
        return clocks.read();
    }

    /**
     * Holds the counts of a block against each other, and takes what does not agree out of the cells.
     *
     * @param cells that had a slice in it
     */
    void closeBlock(List<CellLog> cells, int block) {
        for (Target target : targets) {
            Ledger ledger = ledgers.get(target);
            ServiceCounts now = settled(target);
            ServiceCounts earlier = counted.get(target);
            if (now == null) {
                ledger.incomplete();
                counted.remove(target);
                exclude(cells, target, block, List.of("the services' own counts could not be read"));
            } else {
                counted.put(target, now);
                if (earlier == null) {
                    ledger.begin();
                } else {
                    Map<String, List<String>> reasons = ledger.close(target, now.since(earlier));
                    cells.stream()
                            .filter(cell -> cell.subject().target() == target)
                            .forEach(cell -> cell.exclude(
                                    start, block, reasons.getOrDefault(cell.subject().row(), List.of())));
                }
            }
        }
    }

    private void exclude(List<CellLog> cells, Target target, int block, List<String> reasons) {
        cells.stream()
                .filter(cell -> cell.subject().target() == target)
                .forEach(cell -> cell.exclude(start, block, reasons));
    }

    /** The services count a call a moment before or after its reply is seen: what is missing is looked for again. */
    private @Nullable ServiceCounts settled(Target target) {
        ServiceCounts now = null;
        for (int look = 0; look < 4; look++) {
            try {
                now = ServiceCounts.of(target);
                ServiceCounts earlier = counted.get(target);
                if (earlier == null || ledgers.get(target).agreesWith(target, now.since(earlier))) {
                    return now;
                }
            } catch (IOException e) {
                // Looked at again.
            }
            pause(0.1);
        }
        return now;
    }

    void expect(double seconds) {
        secondsLeft = seconds;
    }

    /** @param seconds that it will take */
    void progress(String doing, double seconds) {
        progress.doing(doing, secondsLeft);
        secondsLeft -= seconds;
    }

    void line(String text) {
        if (!display.interactive()) {
            display.line(text);
        }
    }

    /** Ends early when the thread is interrupted, and keeps the interrupt. */
    void pause(double seconds) {
        try {
            TimeUnit.MILLISECONDS.sleep(Math.round(seconds * 1000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all that carry out slices at once; from any thread. */
    void kill() {
        generator.kill();
        List.copyOf(bareClients.values()).forEach(Worker::kill);
    }

    @Override
    public void close() {
        bareClients.values().forEach(Worker::close);
        generator.close();
    }
}
