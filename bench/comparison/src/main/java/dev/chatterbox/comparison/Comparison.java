package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.RoundTrip;
import dev.chatterbox.results.Sums;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares rows in paired slices: blocks, in each of which every row has one slice under each workload, in an order
 * drawn anew. Used once, {@link #start} once for each start of the stack; {@link #interrupt} may be called from another
 * thread.
 */
public final class Comparison {

    private static final double GENERATOR_START = 4;

    /** What a slice takes besides itself: the tail, readings, and its drain. */
    private static final double BETWEEN = 0.2;

    private static final double EMPTY_SLICE = 0.25;

    /** The workloads that do not carry the headline, and the bare clients, are in each fourth block. */
    private static final int EVERY = 4;

    /** More of the processors than that may not go to other programs in a block that counts. */
    private static final double OTHER_LOAD = 0.1;

    /** The clocks of the slices may not lie further from the processes' own totals. */
    private static final double CLOCKS_APART = 0.01;

    private static final String MEMORY = "memory";

    /** What a bare client is measured under: so many calls in flight are the best, as it finds. */
    private static final List<Integer> IN_FLIGHT = List.of(256, 1024, 4096, 16_384);

    private final Setup setup;
    private final Display display;
    private final long seed;
    private final Random order;
    private final Instant started = Instant.now();
    private final Map<String, CellLog> cells = new LinkedHashMap<>();
    private final Map<String, Double> secondsOf = new HashMap<>();
    private final Map<String, Double> capacities = new TreeMap<>();
    private final Map<String, List<String>> rowDoubts = new TreeMap<>();
    private final List<Counts> counts = new ArrayList<>();
    private final Map<String, Double> idleCpu = new TreeMap<>();
    private final Map<String, Results.ProcessFigures> processes = new TreeMap<>();
    private @Nullable Environment environment;
    private List<RoundTrip> network = List.of();
    private int starts;
    private volatile boolean interrupted;
    private volatile @Nullable Run current;

    /**
     * @param rows names of those to compare; {@code memory} is added where the stack has it
     * @param loadTests the folder of the module {@code load-tests}, built
     * @param checkout whose revision the results tell
     * @param folder takes the results; absolute
     * @param command how the user called it
     * @param seed of the order of slices
     * @param maxRequests that the aggregator accepts at once
     */
    public record Setup(
            Preset preset, List<String> rows, Path loadTests, Path checkout, Path folder, String command, long seed, int maxRequests) {}

    public Comparison(Setup setup, Display display) {
        this.setup = setup;
        this.display = display;
        this.seed = setup.seed();
        this.order = new Random(seed);
    }

    /** How long a start will take once the stack is up, in seconds, at the most and about. */
    public double seconds() {
        Preset preset = setup.preset();
        return GENERATOR_START
                + WarmUp.seconds(preset, setup.rows().size())
                + setup.rows().size() * preset.workloads().size() * 2 * preset.sliceSeconds()
                + preset.seconds();
    }

    /** What is not measured because a row has no such exchange, in sentences. */
    public List<String> leftOut(Target target) {
        return setup.preset().workloads().stream()
                .sorted()
                .collect(Collectors.groupingBy(Workload::exchange, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(workloads -> workloads.get(0))
                .flatMap(workload -> {
                    List<String> without = setup.rows().stream()
                            .filter(row -> !has(target, row, workload))
                            .toList();
                    return without.isEmpty()
                            ? Stream.<String>of()
                            : Stream.of("Left out, because they have no such exchange: %s over %s."
                                    .formatted(workload.exchange().text(), String.join(", ", without)));
                })
                .toList();
    }

    private static boolean has(Target target, String row, Workload workload) {
        return target.row(row).row().exchanges().contains(workload.exchange());
    }

    /**
     * Measures over one start of the stack, or of two stacks that are compared with each other.
     *
     * @param sides by name; of one stack the name is empty
     * @throws ComparisonException it failed; what was measured until then is in {@link #results}
     */
    public void start(Map<String, Target> sides) {
        starts++;
        Preset preset = setup.preset();
        Target first = sides.values().iterator().next();
        if (environment == null) {
            environment = EnvironmentProbe.of(first, setup.loadTests(), setup.checkout());
        }
        Map<Target, Ledger> ledgers = new HashMap<>();
        sides.values().forEach(target -> ledgers.put(target, new Ledger()));
        Clocks clocks = new Clocks();
        RoundTrips roundTrips = new RoundTrips(sides.values().stream()
                .flatMap(target -> target.network().stream())
                .flatMap(network -> network.links().stream())
                .toList());
        try (roundTrips;
                ProgressLine progress = new ProgressLine(display)) {
            progress.doing("starting the generator", seconds());
            Worker generator =
                    Worker.generator(setup.loadTests(), first, preset.residents(setup.maxRequests()), setup.folder());
            try (Run run = new Run(
                    starts,
                    List.copyOf(sides.values()),
                    generator,
                    ledgers,
                    clocks,
                    roundTrips,
                    progress,
                    display,
                    () -> interrupted)) {
                current = run;
                run.expect(seconds());
                measure(run, sides);
            } catch (UncheckedIOException e) {
                throw new ComparisonException("Reading or writing failed: " + e.getMessage());
            } catch (ProcessException e) {
                throw new ComparisonException("The comparison cannot go on: " + e.getMessage());
            } catch (ComparisonException e) {
                // Whoever ends the generator to interrupt the run knows why it is gone.
                if (!interrupted) {
                    throw e;
                }
            } finally {
                current = null;
                ledgers.values().forEach(ledger -> counts.add(ledger.counts()));
                network = roundTrips.results();
                cells.values().forEach(log -> log.doubt(roundTrips.doubts(log.subject(), log.callSeconds())));
            }
        }
    }

    private void measure(Run run, Map<String, Target> sides) {
        Preset preset = setup.preset();
        Map<Target, Integer> distances = new HashMap<>();
        sides.values()
                .forEach(target ->
                        distances.put(target, target.network().map(Network::distanceMillis).orElse(0)));
        List<Subject> rows = new ArrayList<>();
        sides.forEach((side, target) -> {
            target.setDistance(0);
            Stream.concat(setup.rows().stream(), memory(target))
                    .forEach(row -> rows.add(new Subject(
                            side.isEmpty() ? Optional.empty() : Optional.of(side),
                            target,
                            row,
                            false,
                            preset.headline().get(0))));
        });
        WarmUp warmUp = new WarmUp(run, preset);
        warmUp.run(rows);
        run.measureRoundTrips(preset.workloads());
        rows.forEach(row -> warmUp.doubt(row.row())
                .ifPresent(doubt -> rowDoubts.put(row.row(), List.of(doubt))));
        List<CellLog> headline = calibrated(run, rows, preset.headline());
        List<CellLog> others = new ArrayList<>(calibrated(run, rows, preset.others()));
        if (preset.bare()) {
            others.addAll(bareClients(run, rows));
        }
        run.forgetCalls(rows);
        run.closeBlock(List.of(), 0);
        blocks(run, headline, others);
        run.idleCpu().forEach((name, use) -> idleCpu.merge(name, use, Math::max));
        distances.forEach(Target::setDistance);
        figuresOfProcesses(run, sides.values());
    }

    private Stream<String> memory(Target target) {
        boolean there = target.rows().stream().anyMatch(row -> row.row().name().equals(MEMORY));
        return there && !setup.rows().contains(MEMORY) ? Stream.of(MEMORY) : Stream.empty();
    }

    private List<CellLog> calibrated(Run run, List<Subject> rows, List<Workload> workloads) {
        List<CellLog> logs = new ArrayList<>();
        for (Workload workload : workloads.stream().sorted(Comparator.comparing(Workload::isOpen)).toList()) {
            for (Subject row : rows) {
                if (run.interrupted() || !has(row.target(), row.row(), workload)) {
                    continue;
                }
                Optional<Workload> fixed = atRate(row, workload);
                if (fixed.isEmpty()) {
                    continue;
                }
                Subject subject = row.under(fixed.get());
                row.target().setDistance(workload.distanceMillis());
                run.progress("calibrating " + subject, 1.5 * setup.preset().sliceSeconds());
                logs.add(calibrated(run, subject));
            }
        }
        return logs;
    }

    private CellLog calibrated(Run run, Subject subject) {
        Run.Calibration found = run.calibrate(subject, setup.preset().sliceSeconds());
        capacities.merge(capacityKey(subject), found.perSecond(), Math::max);
        CellLog log = cells.computeIfAbsent(subject.id(), id -> new CellLog(subject, found.requests()));
        // A later start has other processes, and the same work.
        log.serve(subject);
        secondsOf.put(subject.id(), found.perSecond() == 0 ? 1 : log.requests() / found.perSecond());
        return log;
    }

    private static String capacityKey(Subject subject) {
        return subject.row() + " " + subject.workload().under(new Load.Users(1));
    }

    /** A share of a capacity becomes a rate; empty where no capacity is known. */
    private Optional<Workload> atRate(Subject row, Workload workload) {
        if (workload.load() instanceof Load.Share share) {
            Double capacity = capacities.get(capacityKey(row.under(workload)));
            return Optional.ofNullable(capacity)
                    .map(most -> workload.under(new Load.Rate(threeDigits(share.ofCapacity() * most))));
        }
        if (workload.load() instanceof Load.ShareOfSlowest share) {
            OptionalDouble slowest = setup.rows().stream()
                    .map(each -> capacities.get(each + " " + workload.under(new Load.Users(1))))
                    .filter(Objects::nonNull)
                    .mapToDouble(Double::doubleValue)
                    .min();
            return slowest.isEmpty()
                    ? Optional.empty()
                    : Optional.of(workload.under(share.of(slowest.getAsDouble())));
        }
        return Optional.of(workload);
    }

    /** Which are near enough to the share. */
    private static double threeDigits(double requestsPerSecond) {
        return new BigDecimal(requestsPerSecond).round(new MathContext(3)).doubleValue();
    }

    /** The bare clients of the rows, each of a library's settings once, with the calls in flight that suit it best. */
    private List<CellLog> bareClients(Run run, List<Subject> rows) {
        Map<List<Object>, Subject> first = new LinkedHashMap<>();
        for (Subject row : rows) {
            Target.RowTarget target = row.rowTarget();
            if (target.rawClient().isPresent() && row.target().network().isEmpty()) {
                first.putIfAbsent(
                        List.of(row.side(), target.rawClient().get(), target.responder(), target.broker()), row);
            }
        }
        List<CellLog> logs = new ArrayList<>();
        for (Subject row : first.values()) {
            if (run.interrupted()) {
                break;
            }
            run.progress("starting the bare client of " + row.row(), 4);
            Worker client = Worker.bareClient(
                    row.row(), row.rowTarget().rawClient().orElseThrow(), setup.folder());
            Subject best = null;
            double most = 0;
            for (int inFlight : IN_FLIGHT) {
                Subject subject = new Subject(
                        row.side(), row.target(), row.row(), true, Workload.unary(1, new Load.Users(inFlight)));
                run.keep(subject, client);
                double perSecond = run.calibrate(subject, setup.preset().sliceSeconds()).perSecond();
                if (perSecond > most) {
                    most = perSecond;
                    best = subject;
                }
            }
            if (best != null) {
                logs.add(calibrated(run, best));
            }
        }
        return logs;
    }

    private void blocks(Run run, List<CellLog> headline, List<CellLog> others) {
        Preset preset = setup.preset();
        long begin = System.nanoTime();
        double longest = 0;
        for (int block = 1; !run.interrupted(); block++) {
            double gone = (System.nanoTime() - begin) / 1e9;
            boolean enough = block > preset.blocks() && narrowEnough(headline);
            if (enough || block > 1 && gone + longest / 2 > preset.seconds()) {
                return;
            }
            List<CellLog> all = new ArrayList<>(headline);
            if (block % EVERY == 1) {
                all.addAll(others);
            }
            long blockBegin = System.nanoTime();
            block(run, block, ordered(all), Math.max(0, preset.seconds() - gone));
            longest = Math.max(longest, (System.nanoTime() - blockBegin) / 1e9);
        }
    }

    /** Workloads in a drawn order, and in each the rows in a drawn order: those that are compared are neighbours. */
    private List<CellLog> ordered(List<CellLog> cells) {
        Map<String, List<CellLog>> byWorkload = cells.stream()
                .collect(Collectors.groupingBy(
                        cell -> cell.subject().bare()
                                ? "bare"
                                : cell.subject().workload().toString(),
                        LinkedHashMap::new,
                        Collectors.toCollection(ArrayList::new)));
        List<List<CellLog>> groups = new ArrayList<>(byWorkload.values());
        Collections.shuffle(groups, order);
        groups.forEach(group -> Collections.shuffle(group, order));
        return groups.stream().flatMap(List::stream).toList();
    }

    private void block(Run run, int number, List<CellLog> cells, double left) {
        run.expect(left);
        CpuSnapshot begin = run.now();
        for (CellLog cell : cells) {
            if (run.interrupted()) {
                // A block that is not whole would favour those that were in it.
                break;
            }
            Subject subject = cell.subject();
            double seconds = secondsOf.getOrDefault(subject.id(), 1.0);
            run.progress("block %d  %s".formatted(number, subject), seconds + BETWEEN);
            subject.target().setDistance(subject.workload().distanceMillis());
            run.slice(cell, number, seconds);
        }
        run.idle(EMPTY_SLICE);
        run.closeBlock(cells, number);
        double other = Clocks.between(begin, run.now()).otherLoad();
        if (other > OTHER_LOAD) {
            cells.forEach(cell -> cell.exclude(
                    run.start(),
                    number,
                    List.of("other programs took %.0f %% of the processors in its block".formatted(100 * other))));
        }
    }

    /** Looks at the intervals' width alone, never at what they hold. */
    private boolean narrowEnough(List<CellLog> headline) {
        Map<String, List<Sums>> sums = new TreeMap<>();
        headline.forEach(log -> {
            Cell cell = log.cell(List.of());
            if (!cell.kind().equals(MEMORY)) {
                sums.computeIfAbsent(cell.workload().toString(), none -> new ArrayList<>()).add(Sums.cpu(cell));
            }
        });
        // What more blocks can make narrower: the spread of starts is not among it.
        Estimator blocks = new Estimator(0);
        return sums.values().stream().allMatch(rows -> rows.stream()
                .skip(1)
                .allMatch(row -> blocks.ratio(row, rows.get(0)).width() <= setup.preset().width()));
    }

    private void figuresOfProcesses(Run run, Iterable<Target> targets) {
        targets.forEach(target -> target.processes()
                .forEach(process -> processes.put(process.name(), run.figures(process.pid()))));
        processes.put("generator", run.figures(run.generator().pid()));
    }

    /** What was measured, also by a run that was interrupted or failed half-way. */
    public Results results() {
        List<String> apart = processes.entrySet().stream()
                .filter(process -> process.getValue().sliceDifference() > CLOCKS_APART)
                .map(Map.Entry::getKey)
                .toList();
        List<Cell> all = cells.values().stream()
                .map(log -> log.cell(doubts(log.subject(), apart)))
                .filter(cell -> !cell.slices().isEmpty())
                .toList();
        return new Results(
                ResultsFile.SCHEMA,
                setup.preset().name(),
                setup.command(),
                started,
                Instant.now(),
                interrupted,
                seed,
                starts,
                environment == null ? Environment.NONE : environment,
                idleCpu,
                processes,
                all,
                Counts.sum(counts),
                network,
                List.of(),
                gatlingReports());
    }

    private List<String> doubts(Subject subject, List<String> apart) {
        List<String> doubts =
                new ArrayList<>(subject.bare() ? List.of() : rowDoubts.getOrDefault(subject.row(), List.of()));
        subject.processNames().filter(apart::contains).forEach(name -> doubts.add(
                "the clocks of %s's threads lie more than %.0f %% from the process's own total"
                        .formatted(name, 100 * CLOCKS_APART)));
        return doubts;
    }

    private List<String> gatlingReports() {
        Path gatling = setup.folder().resolve("gatling");
        if (!Files.isDirectory(gatling)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(gatling)) {
            return folders.filter(folder -> Files.exists(folder.resolve("index.html")))
                    .map(folder -> setup.folder().relativize(folder.resolve("index.html")).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes {@code results.json}, whole or not at all.
     *
     * @throws ComparisonException it cannot be written; the results are in the exception
     */
    public Results write() {
        Results results = results();
        if (results.measuredNothing()) {
            return results;
        }
        Path file = setup.folder().resolve(ResultsFile.NAME);
        Path part = setup.folder().resolve(ResultsFile.NAME + ".part");
        try {
            Files.writeString(part, ResultsFile.write(results));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ComparisonException("%s cannot be written: %s".formatted(file, e.getMessage()), results);
        }
        return results;
    }

    public boolean interrupted() {
        return interrupted;
    }

    public long seed() {
        return seed;
    }

    /** Ends the run early; what was measured is kept. From any thread. */
    public void interrupt() {
        interrupted = true;
        Run run = current;
        if (run != null) {
            run.kill();
        }
    }
}
