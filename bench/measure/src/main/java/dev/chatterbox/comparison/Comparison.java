package dev.chatterbox.comparison;

import dev.chatterbox.comparison.environment.EnvironmentProbe;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.testbed.Network;
import dev.chatterbox.testbed.Target;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.rows.Row;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares rows in blocks: in each block every row has one slice under each workload, in an order drawn anew. An object
 * serves one comparison. {@link #start} is called once for each start of the stack; {@link #interrupt} may be called
 * from another thread.
 */
public final class Comparison {

    /** Seconds that the generator takes to start. */
    private static final double GENERATOR_START = 4;

    /** A row is not ranked if its slices' CPU time differs from a process's own total by more than this part. */
    private static final double CLOCKS_APART = 0.01;

    private final Setup setup;
    private final Display display;
    private final Instant started = Instant.now();
    private final Cells cells;
    private final Blocks blocks;
    private final Map<String, Set<String>> rowDoubts = new TreeMap<>();
    private final Set<String> doubts = new LinkedHashSet<>();

    /** The counts of each start, and the doubts about them; read for every result, because a start may be under way. */
    private final List<Supplier<Counts>> counts = new ArrayList<>();

    private final List<Supplier<? extends Collection<String>>> countDoubts = new ArrayList<>();

    /** The round trips of each start. */
    private final List<RoundTrips> network = new ArrayList<>();

    /** What the processes of each start did, by its number. */
    private final Map<Integer, ProcessUse> processes = new TreeMap<>();

    private @Nullable Environment environment;
    private int starts;

    /** Whether everything was measured that was to be measured. */
    private boolean complete;

    private volatile boolean interrupted;
    private volatile @Nullable Run current;

    /** The load on a system that this program did not start; null otherwise. */
    private volatile @Nullable Injectors remote;

    /** What the processes of one start did until now, as {@link Results} shows it. */
    private record ProcessUse(Map<String, Double> idleCpu, Map<String, Results.ProcessFigures> figures) {}

    /**
     * @param rows the names of the rows to compare; {@code memory} is added if the stack has it
     * @param loadTests the folder of the module {@code load-tests}, built
     * @param checkout the checkout whose revision the results show
     * @param folder the folder for the results; absolute
     * @param command the command line that the user typed
     * @param seed the seed of the order of slices
     * @param maxRequests how many requests the aggregator accepts at once
     */
    public record Setup(
            Preset preset,
            List<String> rows,
            Path loadTests,
            Path checkout,
            Path folder,
            String command,
            long seed,
            int maxRequests) {}

    public Comparison(Setup setup, Display display) {
        this.setup = setup;
        this.display = display;
        cells = new Cells(setup.preset(), setup.rows(), setup.folder());
        blocks = new Blocks(setup.preset(), cells, new Random(setup.seed()));
    }

    /**
     * About how many seconds a start takes at most, once the stack is up.
     *
     * @param sides 2 if two stacks are compared with each other, else 1
     */
    public double seconds(int sides) {
        Preset preset = setup.preset();
        // Only a comparison of one stack has the zero line and bare clients.
        int rows = setup.rows().size() + (sides == 1 && preset.memory() ? 1 : 0);
        double calibrations = sides * rows * (preset.workloads().size() + (preset.bare() && sides == 1 ? 5 : 0));
        return GENERATOR_START
                + WarmUp.seconds(preset, rows, sides)
                + calibrations * (preset.warmUpLoad().isPresent() ? 2.8 : 1.5) * preset.sliceSeconds()
                + preset.seconds();
    }

    /** Sentences that say what is not measured because a row does not have the exchange. */
    public List<String> leftOut(Target target) {
        return setup.preset().workloads().stream()
                .sorted()
                .collect(Collectors.groupingBy(Workload::exchange, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(workloads -> workloads.get(0))
                .flatMap(workload -> {
                    List<String> without = setup.rows().stream()
                            .filter(row -> !target.row(row).row().exchanges().contains(workload.exchange()))
                            .toList();
                    return without.isEmpty()
                            ? Stream.<String>of()
                            : Stream.of("Left out, because they have no such exchange: %s over %s."
                                    .formatted(workload.exchange().text(), String.join(", ", without)));
                })
                .toList();
    }

    /**
     * Measures during one start of the stack, or of two stacks that are compared with each other.
     *
     * @param sides the stacks by the names of their sides; of one stack the name is empty
     * @throws ComparisonException the run failed; {@link #results} has what was measured until then
     */
    public void start(Map<String, Target> sides) {
        starts++;
        Preset preset = setup.preset();
        Target first = sides.values().iterator().next();
        if (environment == null) {
            environment = EnvironmentProbe.of(first, setup.loadTests(), setup.checkout());
        }
        BlockCounts counted = new BlockCounts(sides.values());
        RoundTrips roundTrips = new RoundTrips(sides.values().stream()
                .flatMap(target -> target.network().stream())
                .flatMap(network -> network.links().stream())
                .toList());
        counts.add(counted::sum);
        countDoubts.add(counted::doubts);
        network.add(roundTrips);
        try (roundTrips;
                ProgressLine progress = new ProgressLine(display)) {
            progress.doing("starting the generator", seconds(sides.size()));
            String suffix = starts == 1 ? "" : "-" + starts;
            int users = sides.size() * preset.residents(setup.maxRequests());
            Worker generator = Worker.generator(
                    setup.loadTests(),
                    first.aggregator().addresses(),
                    users,
                    preset.timeoutSeconds(),
                    setup.folder(),
                    suffix);
            try (Run run = new Run(
                    starts,
                    sides,
                    generator,
                    setup.folder(),
                    counted,
                    roundTrips,
                    progress,
                    display,
                    () -> interrupted)) {
                current = run;
                run.expect(seconds(sides.size()));
                measure(run, sides);
            }
        } catch (UncheckedIOException e) {
            throw failed("Reading or writing failed: " + e.getMessage(), counted);
        } catch (ProcessException e) {
            throw failed("The comparison cannot go on: " + e.getMessage(), counted);
        } catch (ComparisonException e) {
            // After an interrupt, it is no failure that the generator is gone.
            if (!interrupted) {
                throw failed(String.valueOf(e.getMessage()), counted);
            }
        } finally {
            current = null;
        }
        complete = starts == preset.starts() && !interrupted;
    }

    /**
     * Measures a system that this program did not start.
     *
     * @throws ComparisonException the run failed; {@link #results} has what was measured until then
     */
    public void measure(Deployment deployment, Injection injection) {
        starts = 1;
        environment = EnvironmentProbe.of(deployment, setup.checkout());
        Preset preset = setup.preset();
        try (ProgressLine progress = new ProgressLine(display)) {
            progress.doing("starting the generator", preset.seconds());
            Injectors injectors = injection.start(
                    setup.loadTests(),
                    deployment.aggregator().address().toString(),
                    preset.residents(setup.maxRequests()),
                    preset.timeoutSeconds(),
                    setup.folder(),
                    display);
            Plateaus plateaus = new Plateaus(
                    deployment,
                    preset,
                    cells,
                    new Random(setup.seed()),
                    injectors,
                    progress,
                    display,
                    () -> interrupted);
            remote = injectors;
            counts.add(plateaus::counts);
            countDoubts.add(plateaus::doubts);
            try (injectors) {
                plateaus.run(this::write);
            } finally {
                remote = null;
            }
            complete = !interrupted;
        } catch (UncheckedIOException e) {
            throw endedEarly("Reading or writing failed: " + e.getMessage());
        } catch (ProcessException e) {
            throw endedEarly("The comparison cannot go on: " + e.getMessage());
        } catch (ComparisonException e) {
            // After an interrupt, it is no failure that the generator is gone.
            if (!interrupted) {
                throw endedEarly(String.valueOf(e.getMessage()));
            }
        }
    }

    private ComparisonException endedEarly(String message) {
        noteEnd(message);
        return new ComparisonException(message);
    }

    /** Notes in the results why the run ended before its time. */
    public void noteEnd(@Nullable String why) {
        doubts.add("The run ended before its time. " + why);
    }

    /** Notes that the run has failed, and that nobody knows all calls of the slice under way. */
    private ComparisonException failed(String message, BlockCounts counted) {
        counted.incomplete();
        return endedEarly(message);
    }

    private void measure(Run run, Map<String, Target> sides) {
        Preset preset = setup.preset();
        Map<Target, Integer> distances = new LinkedHashMap<>();
        List<Subject> rows = new ArrayList<>();
        sides.forEach((side, target) -> {
            distances.put(target, target.network().map(Network::distanceMillis).orElse(0));
            target.setDistance(0);
            rows(side, target)
                    .forEach(row -> rows.add(new Subject(
                            side.isEmpty() ? Optional.empty() : Optional.of(side),
                            target,
                            row,
                            false,
                            preset.headline().get(0))));
        });
        try {
            new WarmUp(run, preset).run(rows, run.counts()::begin);
            run.measureRoundTrips(preset.workloads());
            List<CellLog> all = new ArrayList<>(cells.calibrate(run, rows));
            if (preset.bare() && sides.size() == 1) {
                all.addAll(cells.bareClients(run, rows));
            }
            if (preset.warmUpLoad().isPresent()) {
                Rehearsal rehearsal = blocks.rehearse(run, all);
                rows.forEach(row -> rehearsal.doubt(row.row()).ifPresent(doubt -> doubt(row, doubt)));
            } else {
                rows.forEach(row -> doubt(row, "nothing was warmed up"));
            }
            run.beginBlocks();
            blocks.run(run, all, () -> {
                readProcesses(run);
                write();
            });
        } finally {
            distances.forEach(Target::setDistance);
            readProcesses(run);
        }
    }

    private void readProcesses(Run run) {
        processes.put(run.start(), new ProcessUse(run.idleCpu(), run.figures()));
    }

    private void doubt(Subject row, String why) {
        rowDoubts.computeIfAbsent(row.rowKey(), none -> new LinkedHashSet<>()).add(why);
    }

    /** The rows to measure. One stack also gets the zero line; two stacks that are compared do not need it. */
    private List<String> rows(String side, Target target) {
        boolean there = target.rows().stream().anyMatch(row -> row.row().name().equals(Cell.ZERO_LINE));
        return there
                        && setup.preset().memory()
                        && side.isEmpty()
                        && !setup.rows().contains(Cell.ZERO_LINE)
                ? Stream.concat(setup.rows().stream(), Stream.of(Cell.ZERO_LINE))
                        .toList()
                : setup.rows();
    }

    /** What was measured until now; {@link Results#interrupted} unless that is everything. */
    public Results results() {
        Map<String, Double> idleCpu = new TreeMap<>();
        Map<String, Results.ProcessFigures> figures = new TreeMap<>();
        processes.values().forEach(start -> {
            start.idleCpu.forEach((name, use) -> idleCpu.merge(name, use, Math::max));
            start.figures.forEach((name, use) -> figures.merge(name, use, Results.ProcessFigures::and));
        });
        List<String> apart = figures.entrySet().stream()
                .filter(process -> process.getValue().sliceDifference() > CLOCKS_APART)
                .map(Map.Entry::getKey)
                .toList();
        Set<String> why = new LinkedHashSet<>(doubts);
        countDoubts.forEach(of -> why.addAll(of.get()));
        blocks.whyNothingIsRanked().ifPresent(why::add);
        List<Cell> all = cells.all().stream()
                .map(log -> log.cell(doubts(log, apart), blocks::withoutOtherPrograms))
                .filter(cell -> !cell.slices().isEmpty())
                .toList();
        return new Results(
                ResultsFile.SCHEMA,
                setup.preset().name(),
                setup.command(),
                started,
                Instant.now(),
                !complete,
                setup.seed(),
                starts,
                environment == null ? Environment.NONE : environment,
                idleCpu,
                figures,
                all,
                Counts.sum(counts.stream().map(Supplier::get).toList()),
                network.isEmpty() ? List.of() : network.get(network.size() - 1).results(),
                List.copyOf(why));
    }

    private Collection<String> doubts(CellLog log, List<String> apart) {
        Subject subject = log.subject();
        Set<String> why = new LinkedHashSet<>();
        network.forEach(start -> why.addAll(start.doubts(subject, log.callSeconds())));
        if (!subject.bare()) {
            why.addAll(rowDoubts.getOrDefault(subject.rowKey(), Set.of()));
        }
        if (subject.rowTarget().row().group() == Row.Group.CLAIMS) {
            why.add(Caveat.PUBLISHED_SETTINGS);
        }
        subject.processNames()
                .filter(apart::contains)
                .forEach(name -> why.add(
                        "the clocks of %s's threads lie more than %.0f %% from the process's own total; in %d of the slices a thread ended"
                                .formatted(name, 100 * CLOCKS_APART, log.slicesWithEndedThreads())));
        if (blocks.areMostlyDisturbed()) {
            why.add("other programs used the processors in most blocks");
        }
        return why;
    }

    /**
     * Writes {@code results.json}, whole or not at all. It is written after every block, so that a run that is killed
     * loses no more than the block under way.
     *
     * @throws ComparisonException it cannot be written
     */
    public void write() {
        Results results = results();
        if (results.measuredNothing()) {
            return;
        }
        Path file = setup.folder().resolve(ResultsFile.NAME);
        Path part = setup.folder().resolve(ResultsFile.NAME + ".part");
        try {
            Files.writeString(part, ResultsFile.write(results));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ComparisonException("%s cannot be written: %s".formatted(file, e.getMessage()));
        }
    }

    public boolean interrupted() {
        return interrupted;
    }

    public long seed() {
        return setup.seed();
    }

    /** Ends the run early and keeps what was measured. May be called from any thread. */
    public void interrupt() {
        interrupted = true;
        Run run = current;
        if (run != null) {
            run.kill();
        }
        Injectors injectors = remote;
        if (injectors != null) {
            injectors.kill();
        }
    }
}
