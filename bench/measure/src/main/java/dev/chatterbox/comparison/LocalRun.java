package dev.chatterbox.comparison;

import dev.chatterbox.comparison.Cells.Calibration;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Proc;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.RoundTrip;
import dev.chatterbox.stack.Target;
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
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** One start of the stack, or of two stacks. It orders slices, and reads clocks and counts before and after them. */
final class LocalRun extends Run {

    /** This time after the last answer belongs to the slice: acknowledgements, commits, collections, compilers. */
    private static final double TAIL_SECONDS = 0.1;

    /** A result may take so many times as long as a request may, and ten times its slice's length. */
    private static final double PATIENCE = 2;

    /** A slice ends after this and ten times its expected length, however few requests were made. */
    private static final double SLICE_SECONDS = 10;

    private final Map<String, Target> sides;
    private final SliceWorker generator;

    /** Bare clients and programs of one-way messages, by the names of their logs. */
    private final Map<String, SliceWorker> programs = new ConcurrentHashMap<>();

    private final Path folder;
    private final Clocks clocks = new Clocks();
    private final RoundTrips roundTrips;
    private final Map<String, Long> idleNanos = new HashMap<>();
    private long idleTime;
    private CpuSnapshot blockBegin;

    /** A slice of a subject, and what carries it out. */
    record Order(Subject subject, SliceWorker worker, Slice slice) {}

    /**
     * @param sides the stacks by the names of their sides; of one stack the name is empty
     * @param generator the load generator, which this run ends
     * @param folder for what the programs of one-way messages write
     */
    LocalRun(
            int start,
            Map<String, Target> sides,
            SliceWorker generator,
            BlockCounts counts,
            Path folder,
            ProgressLine progress,
            BooleanSupplier interrupted) {
        super(start, counts, progress, interrupted);
        this.sides = sides;
        this.generator = generator;
        this.folder = folder;
        roundTrips = new RoundTrips(sides);
        sides.values().forEach(target -> target.processes().forEach(process -> clocks.watch(List.of(process.pid()))));
        clocks.watch(generator.roles().keySet());
        clocks.watch(List.of(ProcessHandle.current().pid()));
        blockBegin = clocks.read();
    }

    @Override
    void measure(Preset preset, Cells cells, Blocks blocks, Runnable afterBlock) {
        Map<Target, Integer> distances = new LinkedHashMap<>();
        List<Subject> variants = new ArrayList<>();
        sides.forEach((side, target) -> {
            distances.put(
                    target, target.network().map(Toxiproxy::distanceMillis).orElse(0));
            target.setDistance(0);
            variants(preset, cells.variants(), side, target)
                    .forEach(variant -> variants.add(new Subject(
                            side, target, variant, false, preset.headline().get(0))));
        });
        try {
            new WarmUp(this, preset).run(variants);
            measureRoundTrips(preset.workloads());
            List<CellLog> all = new ArrayList<>(cells.calibrate(this, variants));
            List<CellLog> ofVariants = List.copyOf(all);
            if (preset.bare() && sides.size() == 1) {
                all.addAll(cells.bareClients(this, variants));
            }
            if (preset.warmUpLoad().isPresent()) {
                blocks.rehearse(this, all);
            } else {
                ofVariants.forEach(cell -> cell.doubt(Run.COLD));
            }
            // Warm-up and calibration are over: clocks and counts begin again for the blocks.
            counts.close(List.of(), start, 0);
            clocks.begin();
            blocks.run(this, all, () -> {
                readProcesses();
                afterBlock.run();
            });
        } finally {
            readProcesses();
            distances.forEach(Target::setDistance);
        }
    }

    /** The variants to measure. One stack also gets the zero line; two stacks that are compared do not need it. */
    private static List<String> variants(Preset preset, List<String> variants, String side, Target target) {
        boolean zeroLine = preset.memory()
                && side.isEmpty()
                && !variants.contains(Cell.ZERO_LINE)
                && target.variants().stream()
                        .anyMatch(variant -> variant.variant().name().equals(Cell.ZERO_LINE));
        return zeroLine
                ? Stream.concat(variants.stream(), Stream.of(Cell.ZERO_LINE)).toList()
                : variants;
    }

    /** Measures the round trips of the networks' links at each distance, while nothing is called. */
    private void measureRoundTrips(List<Workload> workloads) {
        if (sides.values().stream().anyMatch(target -> target.network().isPresent())) {
            workloads.stream().map(Workload::distanceMillis).distinct().sorted().forEach(millis -> {
                sides.values().forEach(target -> target.setDistance(millis));
                roundTrips.measure(millis);
            });
        }
    }

    SliceWorker generator() {
        return generator;
    }

    /**
     * A slice for the process that carries it out.
     *
     * @param id the beginning of the slice's id
     */
    Order order(String id, Subject subject, long requests, double seconds) {
        String aggregator = subject.target().aggregator().addresses();
        return new Order(subject, worker(subject), subject.slice(id, start, requests, seconds, aggregator));
    }

    private List<Order> orders(List<CellLog> cells, String id, double expectedSeconds) {
        double most = SLICE_SECONDS + 10 * expectedSeconds;
        return cells.stream()
                .map(cell -> order(id, cell.subject(), cell.requests(), most))
                .toList();
    }

    /**
     * Has slices carried out, all at the same time, of which only the calls are counted.
     *
     * @param expectedSeconds how long they should take
     */
    List<SliceResult> carryOut(List<Order> orders, double expectedSeconds) {
        prepare(orders);
        return results(orders, expectedSeconds);
    }

    private static void prepare(List<Order> orders) {
        orders.forEach(order -> order.worker.prepare(order.slice));
    }

    /** Has slices begin, and waits for their results, which may come in another order. */
    private List<SliceResult> results(List<Order> orders, double expectedSeconds) {
        orders.forEach(order -> order.worker.begin(order.slice));
        Map<String, SliceResult> found = new HashMap<>();
        for (Order order : orders) {
            double patience = PATIENCE * order.subject.workload().timeoutSeconds() + 10 * expectedSeconds;
            SliceResult result = order.worker.result(order.slice, Duration.ofMillis((long) (1e3 * patience)));
            found.put(result.id(), result);
        }
        return orders.stream()
                .map(order -> {
                    SliceResult result = Objects.requireNonNull(
                            found.get(order.slice.id()), () -> "a result of another slice: " + found.keySet());
                    counts.add(order.subject, result);
                    return result;
                })
                .toList();
    }

    /** What slices showed that were carried out together. */
    private record Measured(List<SliceResult> results, CpuSnapshot before, CpuSnapshot after) {}

    /** Has prepared slices carried out, and reads the clocks before and after them. */
    private Measured measured(List<Order> orders, double expectedSeconds) {
        CpuSnapshot before = clocks.read();
        List<SliceResult> results = results(orders, expectedSeconds);
        pause(TAIL_SECONDS);
        return new Measured(results, before, clocks.read());
    }

    /** Finds how many requests take so many seconds, by two looks: of half the length and of the whole length. */
    Calibration calibrate(Subject subject, double seconds) {
        Calibration found = Calibration.NONE;
        for (double length = seconds / 2; length <= seconds && !interrupted(); length *= 2) {
            SliceResult result = carryOut(List.of(order("calibration", subject, 0, length)), length)
                    .get(0);
            found = Calibration.of(subject, result, seconds);
            if (result.right() == 0) {
                break;
            }
        }
        return found;
    }

    /** Measures what calls cost and how many there are, for so many seconds, which are no slice of any cell. */
    FirstLook.Look look(Subject subject, double seconds) {
        List<Order> orders = List.of(order("first-look", subject, 0, seconds));
        prepare(orders);
        Measured measured = measured(orders, seconds);
        Map<String, Long> nanos =
                clocks.between(measured.before, measured.after, system(subject)).nanos();
        SliceResult result = measured.results.get(0);
        double calls = result.calls(subject.workload());
        long system = Role.SYSTEM.stream()
                .mapToLong(role -> nanos.getOrDefault(role, 0L))
                .sum();
        return new FirstLook.Look(system / 1e3 / calls, calls / result.seconds());
    }

    /** Adds the result of a calibration in which no request was answered right, so that it is shown. */
    void addFailed(CellLog cell, Calibration calibration) {
        if (calibration.last() != null) {
            CpuSnapshot now = clocks.read();
            add(cell, 0, calibration.last(), new Measured(List.of(), now, now), true);
        }
    }

    @Override
    void beginBlock() {
        blockBegin = clocks.read();
    }

    @Override
    void slices(List<CellLog> cells, int block, double expectedSeconds) {
        boolean alone = cells.size() == 1;
        List<Order> orders = orders(cells, "block-" + block, expectedSeconds);
        prepare(orders);
        Optional<Long> before = alone ? written(cells.get(0).subject()) : Optional.empty();
        Measured measured = measured(orders, expectedSeconds);
        for (int i = 0; i < cells.size(); i++) {
            CellLog cell = cells.get(i);
            SliceResult result = measured.results.get(i);
            add(cell, block, result, measured, alone);
            if (alone) {
                cell.addLatency(result);
                before.flatMap(then -> written(cell.subject()).map(now -> now - then))
                        .ifPresent(bytes -> cell.addWritten(result, bytes));
            }
        }
    }

    /** Has slices carried out as in a block; only their calls are counted. */
    List<SliceResult> rehearse(List<CellLog> cells, double expectedSeconds) {
        return carryOut(orders(cells, Slice.WARM_UP + "-rehearsal", expectedSeconds), expectedSeconds);
    }

    private void add(CellLog cell, int block, SliceResult result, Measured measured, boolean alone) {
        Subject subject = cell.subject();
        Map<Long, String> roles = system(subject);
        if (worker(subject) == generator && alone) {
            // When slices run at the same time, nobody knows which part of the generator's time is whose.
            roles.putAll(generator.roles());
        }
        List<String> gone = roles.entrySet().stream()
                .filter(process -> !measured.after.processes().containsKey(process.getKey()))
                .map(process -> "the %s is gone".formatted(process.getValue()))
                .toList();
        cell.add(start, block, result, alone, clocks.between(measured.before, measured.after, roles), gone);
        QueueFigures messages = worker(subject).messages();
        if (messages != null) {
            cell.addMessages(messages, alone);
        }
    }

    /** The bytes that the brokers of a variant have given to the disk; empty without brokers, or if it is not known. */
    private static Optional<Long> written(Subject subject) {
        return subject.variantTarget().brokers().stream()
                .map(broker -> ProcessMemory.written(broker.pid()))
                .reduce((all, more) -> all.flatMap(known -> more.map(bytes -> known + bytes)))
                .flatMap(known -> known);
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

    /** What carries out a subject's slices; the programs of a variant start when it is asked for first. */
    private SliceWorker worker(Subject subject) {
        String variant = subject.variantKey().replace(':', '-');
        if (subject.bare()) {
            return programs.computeIfAbsent(
                    "bare-" + variant,
                    name -> watched(Worker.program(
                            name, subject.variantTarget().rawClient().orElseThrow(), folder, "-" + start)));
        }
        return subject.isQueue()
                ? programs.computeIfAbsent(
                        variant,
                        name -> watched(new QueueWorkers(
                                name, subject.variantTarget().queue().orElseThrow(), folder, "-" + start, List.of())))
                : generator;
    }

    private SliceWorker watched(SliceWorker program) {
        clocks.watch(program.roles().keySet());
        if (interrupted()) {
            // It was not known yet when the others were killed.
            program.kill();
        }
        return program;
    }

    /** Ends a block with its empty slice: the CPU time of the processes while nothing is called. */
    @Override
    OptionalDouble endBlock() {
        CpuSnapshot before = clocks.read();
        pause(Blocks.EMPTY_SLICE);
        CpuSnapshot after = clocks.read();
        idleTime += after.nanos() - before.nanos();
        clocks.between(before, after, names())
                .nanos()
                .forEach((name, nanos) -> idleNanos.merge(name, nanos, Long::sum));
        Double other = after.otherLoad(blockBegin);
        return other == null ? OptionalDouble.empty() : OptionalDouble.of(other);
    }

    /** The names of all processes of the stacks, and of the generator, by pid. */
    private Map<Long, String> names() {
        Map<Long, String> names = new LinkedHashMap<>();
        sides.forEach((side, target) ->
                target.processes().forEach(process -> names.put(process.pid(), Subject.sided(side, process.name()))));
        names.putAll(generator.roles());
        return names;
    }

    @Override
    Map<String, Double> idleCpu() {
        Map<String, Double> use = new LinkedHashMap<>();
        idleNanos.forEach((name, nanos) -> use.put(name, idleTime == 0 ? 0 : (double) nanos / idleTime));
        return use;
    }

    private void readProcesses() {
        // A process that has ended keeps what was read before.
        names().forEach((pid, name) -> Proc.stat(pid).ifPresent(alive -> processes.put(name, clocks.figures(pid))));
    }

    @Override
    List<String> doubts(CellLog cell) {
        return roundTrips.doubts(cell.subject());
    }

    @Override
    List<RoundTrip> roundTrips() {
        return roundTrips.results();
    }

    private Stream<SliceWorker> workers() {
        return Stream.concat(programs.values().stream(), Stream.of(generator));
    }

    @Override
    void kill() {
        workers().forEach(SliceWorker::kill);
    }

    @Override
    public void close() {
        workers().forEach(SliceWorker::close);
    }
}
