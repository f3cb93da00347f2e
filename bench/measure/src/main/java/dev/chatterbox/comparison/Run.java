package dev.chatterbox.comparison;

import dev.chatterbox.comparison.Cells.Calibration;
import dev.chatterbox.comparison.counts.CallReading;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.testbed.Target;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One start of the stack, or of two stacks. It orders slices, and reads clocks and counts before and after them. */
final class Run implements AutoCloseable {

    /** This time after the last answer belongs to the slice: acknowledgements, commits, collections, compilers. */
    private static final double TAIL_SECONDS = 0.1;

    /** A result may take so many times as long as a request may, and ten times its slice's length. */
    private static final double PATIENCE = 2;

    /** A slice ends after this and ten times its expected length, however few requests were made. */
    private static final double SLICE_SECONDS = 10;

    private final int start;
    private final Map<String, Target> sides;
    private final Worker generator;
    private final Map<String, Worker> bareClients = new ConcurrentHashMap<>();

    /** The programs of one-way messages, by row and side. */
    private final Map<String, QueueWorkers> queues = new ConcurrentHashMap<>();

    private final Path folder;
    private final Clocks clocks = new Clocks();
    private final BlockCounts counts;
    private final Map<String, Long> idleNanos = new HashMap<>();
    private long idleTime;
    private final RoundTrips roundTrips;
    private final ProgressLine progress;
    private final Display display;
    private final BooleanSupplier interrupted;
    private double secondsLeft;

    /**
     * @param sides the stacks by the names of their sides; of one stack the name is empty
     * @param folder for what the programs of one-way messages write
     */
    Run(
            int start,
            Map<String, Target> sides,
            Worker generator,
            Path folder,
            BlockCounts counts,
            RoundTrips roundTrips,
            ProgressLine progress,
            Display display,
            BooleanSupplier interrupted) {
        this.start = start;
        this.sides = sides;
        this.generator = generator;
        this.folder = folder;
        this.counts = counts;
        this.roundTrips = roundTrips;
        this.progress = progress;
        this.display = display;
        this.interrupted = interrupted;
        sides.values().forEach(target -> target.processes().forEach(process -> clocks.watch(List.of(process.pid()))));
        clocks.watch(List.of(generator.pid(), ProcessHandle.current().pid()));
        clocks.read();
    }

    /** Ends warm-up and calibration: clocks and counts begin anew for the blocks. */
    void beginBlocks() {
        counts.close(List.of(), start, 0);
        clocks.begin();
    }

    BlockCounts counts() {
        return counts;
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

    /** Keeps a bare client, and ends it with the run. */
    void keep(Subject bare, Worker client) {
        bareClients.put(bare.id(), client);
        clocks.watch(List.of(client.pid()));
    }

    /** @param id the beginning of the slice's id */
    Slice slice(String id, Subject subject, long requests, double seconds) {
        return new Slice(
                "%s/%d/%s".formatted(id, start, subject.id()),
                subject.row(),
                subject.workload(),
                requests,
                seconds,
                subject.target().aggregator().addresses());
    }

    /** How long to wait for the result of a slice that should take so many seconds. */
    private static Duration patience(Subject subject, double seconds) {
        return Duration.ofMillis((long) (1e3 * (PATIENCE * subject.workload().timeoutSeconds() + 10 * seconds)));
    }

    /** Finds how many requests take so many seconds, by two looks: of half the length and of the whole length. */
    Calibration calibrate(Subject subject, double seconds) {
        Calibration found = Calibration.NONE;
        for (double length = seconds / 2; length <= seconds && !interrupted(); length *= 2) {
            Slice probe = slice("calibration", subject, 0, length);
            SliceResult result = worker(subject).carryOut(probe, patience(subject, length));
            counts.add(subject, result);
            found = Calibration.of(subject, result, seconds);
            if (result.right() == 0) {
                break;
            }
        }
        return found;
    }

    /** Measures what calls cost and how many there are, for so many seconds, which are no slice of any cell. */
    FirstLook.Look look(Subject subject, double seconds) {
        Slice slice = slice("first-look", subject, 0, seconds);
        worker(subject).prepare(slice);
        CpuSnapshot before = clocks.read();
        worker(subject).begin(slice);
        SliceResult result = worker(subject).result(slice, patience(subject, seconds));
        pause(TAIL_SECONDS);
        Map<Long, Long> nanos = clocks.between(before, clocks.read()).nanos();
        counts.add(subject, result);
        double calls = result.calls(subject.workload());
        long system = system(subject).entrySet().stream()
                .filter(process -> Role.SYSTEM.contains(process.getValue()))
                .mapToLong(process -> nanos.getOrDefault(process.getKey(), 0L))
                .sum();
        return new FirstLook.Look(system / 1e3 / calls, calls / result.seconds());
    }

    /** Adds the result of a calibration in which no request was answered right, so that it is shown. */
    void addFailed(CellLog cell, Calibration calibration) {
        if (calibration.last() != null) {
            CpuSnapshot now = clocks.read();
            add(cell, 0, calibration.last(), now, now, true);
        }
    }

    /** Gets ready for one slice of each cell. */
    private List<Slice> prepared(List<CellLog> cells, String id, double expectedSeconds) {
        double most = SLICE_SECONDS + 10 * expectedSeconds;
        List<Slice> slices = cells.stream()
                .map(cell -> slice(id, cell.subject(), cell.requests(), most))
                .toList();
        prepare(subjects(cells), slices);
        return slices;
    }

    private static List<Subject> subjects(List<CellLog> cells) {
        return cells.stream().map(CellLog::subject).toList();
    }

    /** Has slices carried out, all at the same time. */
    private List<SliceResult> carryOut(List<CellLog> cells, List<Slice> slices, double expectedSeconds) {
        begin(subjects(cells), slices);
        return results(subjects(cells), slices, expectedSeconds);
    }

    /**
     * Has one slice of each cell carried out, all at the same time, and adds them to their cells. If there are several,
     * only their costs are figures.
     */
    void slices(List<CellLog> cells, int block, double expectedSeconds) {
        boolean alone = cells.size() == 1;
        List<Slice> slices = prepared(cells, "block-" + block, expectedSeconds);
        CallReading callsBefore = alone ? calls(cells.get(0).subject()) : CallReading.NONE;
        OptionalLong writtenBefore = cells.get(0).subject().writtenByBroker();
        CpuSnapshot before = clocks.read();
        roundTrips.start(cells.get(0).subject());
        List<SliceResult> results = carryOut(cells, slices, expectedSeconds);
        roundTrips.stop();
        pause(TAIL_SECONDS);
        CpuSnapshot after = clocks.read();
        for (int i = 0; i < results.size(); i++) {
            CellLog cell = cells.get(i);
            SliceResult result = results.get(i);
            add(cell, block, result, before, after, alone);
            if (alone) {
                cell.addCalls(result, calls(cell.subject()).since(callsBefore));
                OptionalLong written = cell.subject().writtenByBroker();
                if (written.isPresent() && writtenBefore.isPresent()) {
                    cell.addWritten(result, written.getAsLong() - writtenBefore.getAsLong());
                }
            }
        }
    }

    /** Has slices carried out as in a block; only their calls are counted. */
    List<SliceResult> rehearse(List<CellLog> cells, double expectedSeconds) {
        return carryOut(cells, prepared(cells, Slice.WARM_UP + "-rehearsal", expectedSeconds), expectedSeconds);
    }

    /** Gets ready for slices. */
    void prepare(List<Subject> subjects, List<Slice> slices) {
        for (int i = 0; i < slices.size(); i++) {
            worker(subjects.get(i)).prepare(slices.get(i));
        }
    }

    /** Has slices begin at the same time, one for each subject. */
    void begin(List<Subject> subjects, List<Slice> slices) {
        for (int i = 0; i < slices.size(); i++) {
            worker(subjects.get(i)).begin(slices.get(i));
        }
    }

    /** Waits for the results of these slices, which may end in another order, and counts them. */
    List<SliceResult> results(List<Subject> subjects, List<Slice> slices, double expectedSeconds) {
        Map<String, SliceResult> found = new HashMap<>();
        for (int i = 0; i < slices.size(); i++) {
            SliceResult result =
                    worker(subjects.get(i)).result(slices.get(i), patience(subjects.get(i), expectedSeconds));
            found.put(result.id(), result);
        }
        List<SliceResult> results = new ArrayList<>();
        for (int i = 0; i < slices.size(); i++) {
            SliceResult result = Objects.requireNonNull(
                    found.get(slices.get(i).id()), () -> "a result of another slice: " + found.keySet());
            counts.add(subjects.get(i), result);
            results.add(result);
        }
        return results;
    }

    private void add(
            CellLog cell, int block, SliceResult result, CpuSnapshot before, CpuSnapshot after, boolean alone) {
        Subject subject = cell.subject();
        Clocks.Use use = clocks.between(before, after);
        Map<Long, String> roles = system(subject);
        if (worker(subject) == generator && alone) {
            // When slices run at the same time, nobody knows which part of the generator's time is whose.
            roles.put(generator.pid(), Role.GENERATOR);
        }
        // The nodes of a cluster have one role, and count together.
        Map<String, Long> cpu = new LinkedHashMap<>();
        roles.forEach((pid, role) -> cpu.merge(role, use.nanos().getOrDefault(pid, 0L), Long::sum));
        Map<String, Long> resident = new LinkedHashMap<>();
        roles.forEach(
                (pid, role) -> ProcessMemory.resident(pid).ifPresent(bytes -> resident.merge(role, bytes, Long::sum)));
        long others = (alone ? sides.values() : List.of(subject.target()))
                .stream()
                        .flatMap(target -> target.processes().stream())
                        .filter(process -> !roles.containsKey(process.pid()))
                        .mapToLong(process -> use.nanos().getOrDefault(process.pid(), 0L))
                        .sum();
        cell.add(
                new SliceFigures(
                        start,
                        block,
                        alone ? result.seconds() : 0,
                        null,
                        result.right(),
                        result.calls(subject.workload()),
                        cpu,
                        use.compilersOf(roles),
                        others,
                        alone && subject.workload().isOpen() && result.seconds() > 0
                                ? Double.valueOf(result.right() / result.seconds())
                                : null,
                        result.busiestThread(),
                        roles.keySet().stream().anyMatch(use.threadEnded()::contains),
                        resident,
                        CellLog.reasons(cell.requests(), result, roles, after)),
                result);
        QueueFigures messages = worker(subject).messages();
        if (messages != null) {
            cell.addMessages(messages);
        }
    }

    private static CallReading calls(Subject subject) {
        return subject.bare() || subject.isQueue()
                ? CallReading.NONE
                : CallReading.read(subject.target().aggregator(), subject.row());
    }

    /** The roles of the processes whose CPU time is the cost of a call, by pid. */
    Map<Long, String> system(Subject subject) {
        Map<Long, String> roles = new LinkedHashMap<>(subject.roles());
        SliceWorker worker = worker(subject);
        if (worker != generator) {
            roles.putAll(worker.roles());
        }
        return roles;
    }

    private SliceWorker worker(Subject subject) {
        if (subject.isQueue()) {
            return queues.computeIfAbsent(subject.rowKey(), row -> startQueue(row, subject));
        }
        return subject.bare() ? Objects.requireNonNull(bareClients.get(subject.id()), subject::toString) : generator;
    }

    private QueueWorkers startQueue(String row, Subject subject) {
        QueueWorkers programs = QueueWorkers.start(
                row.replace(':', '-'), subject.rowTarget().queue().orElseThrow(), folder, "-" + start, List.of());
        clocks.watch(programs.roles().keySet());
        return programs;
    }

    /** Measures the round trips of the network's links at each distance, while nothing is called. */
    void measureRoundTrips(List<Workload> workloads) {
        if (sides.values().stream().anyMatch(target -> target.network().isPresent())) {
            workloads.stream().map(Workload::distanceMillis).distinct().sorted().forEach(millis -> {
                sides.values().forEach(target -> target.setDistance(millis));
                roundTrips.measureIdle(millis);
            });
        }
    }

    /** Measures the empty slice of a block: the CPU time of the processes while nothing is called. */
    void idle(double seconds) {
        CpuSnapshot before = clocks.read();
        pause(seconds);
        CpuSnapshot after = clocks.read();
        Clocks.Use use = clocks.between(before, after);
        idleTime += after.nanos() - before.nanos();
        sides.forEach((side, target) -> target.processes()
                .forEach(process -> idleNanos.merge(
                        Subject.sided(side, process.name()), use.nanos().getOrDefault(process.pid(), 0L), Long::sum)));
        idleNanos.merge(Role.GENERATOR, use.nanos().getOrDefault(generator.pid(), 0L), Long::sum);
    }

    /** How many processors each process used while nothing was called, by its name. */
    Map<String, Double> idleCpu() {
        Map<String, Double> use = new LinkedHashMap<>();
        idleNanos.forEach((name, nanos) -> use.put(name, idleTime == 0 ? 0 : (double) nanos / idleTime));
        return use;
    }

    /** What each process did since the run began, by its name. */
    Map<String, Results.ProcessFigures> figures() {
        Map<String, Results.ProcessFigures> figures = new LinkedHashMap<>();
        sides.forEach((side, target) -> target.processes()
                .forEach(process -> figures.put(Subject.sided(side, process.name()), clocks.figures(process.pid()))));
        figures.put(Role.GENERATOR, clocks.figures(generator.pid()));
        return figures;
    }

    CpuSnapshot now() {
        return clocks.read();
    }

    void expect(double seconds) {
        secondsLeft = seconds;
    }

    /** @param seconds how long it will take */
    void progress(String doing, double seconds) {
        progress.doing(doing, secondsLeft);
        secondsLeft -= seconds;
    }

    /** Shows a table until the run ends, above the progress; if nobody watches, it shows lines that stay. */
    void preliminary(List<String> lines) {
        if (display.interactive()) {
            progress.above(lines);
        } else {
            lines.forEach(display::line);
        }
    }

    double secondsLeft() {
        return secondsLeft;
    }

    void line(String text) {
        if (!display.interactive()) {
            display.line(text);
        }
    }

    /** Waits; if the thread is interrupted, it ends early and keeps the interrupt. */
    static void pause(double seconds) {
        try {
            TimeUnit.MILLISECONDS.sleep(Math.round(seconds * 1000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all processes that carry out slices at once. May be called from any thread. */
    void kill() {
        generator.kill();
        bareClients.values().forEach(Worker::kill);
        queues.values().forEach(QueueWorkers::kill);
    }

    @Override
    public void close() {
        // One process serves all numbers of calls in flight, so the map may hold it several times.
        Set.copyOf(bareClients.values()).forEach(Worker::close);
        queues.values().forEach(QueueWorkers::close);
        generator.close();
    }
}
