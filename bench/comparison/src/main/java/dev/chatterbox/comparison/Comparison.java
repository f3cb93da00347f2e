package dev.chatterbox.comparison;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Round;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares rows of a running system: the closed model, then the open one at rates that follow from it, then the bare
 * clients. Used once; {@link #interrupt} may be called from another thread.
 */
public final class Comparison {

    private static final double GENERATOR_START = 5;

    /** Gatling reads its own log again to draw its pages. */
    private static final double GATLING_PAGES = 6;

    /** Calls a request, before the first load. */
    private static final int[] FIRST_CALLS = {1, 10, 100};

    /** With each number of calls, over each row. */
    private static final double FIRST_CALLS_SECONDS = 1;

    private static final Duration GATLING_PAGES_AT_MOST = Duration.ofMinutes(3);

    private final Setup setup;
    private final Display display;
    private final Map<CellPlan, List<MeasuredRound>> rounds = new LinkedHashMap<>();

    /** What went wrong in a row's first warm-up, which counts against its first round. */
    private final Map<String, List<String>> warmUpReasons = new HashMap<>();

    private boolean hadTheLoad;

    private volatile boolean interrupted;
    private volatile @Nullable ChildProcess generator;
    private volatile @Nullable RawRuns raw;

    /**
     * @param rows names of those to compare
     * @param loadTests the folder of the module {@code load-tests}, built
     * @param checkout whose revision the results tell
     * @param folder takes the results; absolute
     * @param command how the user called it
     */
    public record Setup(
            Target target,
            Preset preset,
            List<String> rows,
            Path loadTests,
            Path checkout,
            Path folder,
            String command) {}

    public Comparison(Setup setup, Display display) {
        this.setup = setup;
        this.display = display;
    }

    /** How long it will take with all that comes before the first round, in seconds, about. */
    public double seconds() {
        int bareClients = Set.copyOf(
                        RawRuns.shared(setup.target(), setup.rows()).values())
                .size();
        int links =
                setup.target().network().map(network -> network.links().size()).orElse(0);
        return seconds(setup.preset(), setup.rows(), this::has, bareClients)
                + Run.distances(setup.preset()).stream()
                        .mapToDouble(millis -> RoundTrips.idleSeconds(links, millis))
                        .sum();
    }

    /** Whether a row has a workload's exchange; where it has not, it has no such cell. */
    private boolean has(String row, Workload workload) {
        return setup.target().row(row).row().exchanges().contains(workload.exchange());
    }

    /** What is not measured because a row has no such exchange, in sentences. */
    public List<String> leftOut() {
        return setup.preset().workloads().stream()
                .sorted()
                .collect(Collectors.groupingBy(Workload::exchange, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(workloads -> workloads.get(0))
                .flatMap(workload -> {
                    List<String> without = setup.rows().stream()
                            .filter(row -> !has(row, workload))
                            .toList();
                    return without.isEmpty()
                            ? Stream.<String>of()
                            : Stream.of("Left out, for there is no such exchange: %s over %s."
                                    .formatted(workload.exchange().text(), String.join(", ", without)));
                })
                .toList();
    }

    /** @param has whether a row has a workload's exchange */
    static double seconds(Preset preset, List<String> rows, BiPredicate<String, Workload> has, int bareClients) {
        Preset.Timing timing = preset.timing();
        double seconds = preset.raw().rounds() * bareClients * RawRuns.seconds(preset);
        for (List<Workload> stage : List.of(preset.closed(), preset.open())) {
            if (!stage.isEmpty()) {
                for (Workload workload : stage) {
                    double round = timing.warmUp().likelySeconds() + preset.secondsOf(workload) + Slot.BETWEEN;
                    long cells =
                            rows.stream().filter(row -> has.test(row, workload)).count();
                    seconds += cells * preset.rounds() * round;
                }
                seconds += GENERATOR_START + GATLING_PAGES;
            }
        }
        seconds += warmUpSeconds(preset, rows, has);
        return seconds;
    }

    private static double warmUpSeconds(Preset preset, List<String> rows, BiPredicate<String, Workload> has) {
        Optional<Workload> load = preset.timing().warmUpLoad();
        double seconds = load.isPresent() ? rows.size() * FIRST_CALLS.length * FIRST_CALLS_SECONDS : 0;
        for (List<Workload> stage : List.of(preset.closed(), preset.open())) {
            List<Slot> slots = Schedule.of(
                    preset,
                    rows,
                    load,
                    row -> stage.stream()
                            .filter(workload -> has.test(row, workload))
                            .map(workload -> new CellPlan(row, workload, null))
                            .toList());
            seconds += slots.stream()
                    .filter(Slot::isFirstWarmUp)
                    .mapToDouble(Slot::allSeconds)
                    .sum();
            load = slots.isEmpty() ? load : Optional.empty();
        }
        return seconds;
    }

    /**
     * Runs it and writes {@code results.json}, whole or not at all, also that of a run that was interrupted or failed
     * half-way.
     *
     * @return what was measured, which may be nothing: then nothing is written
     * @throws ComparisonException it failed; what was measured until then is written, or in the exception
     */
    public Results run() {
        Instant started = Instant.now();
        Environment environment = EnvironmentProbe.of(setup.target(), setup.loadTests(), setup.checkout());
        try (ProgressLine progress = new ProgressLine(display)) {
            Run run = new Run(setup.target(), setup.preset(), progress, () -> interrupted);
            run.expect(seconds());
            RawRuns raw = new RawRuns(run, setup.folder());
            this.raw = raw;
            OptionalInt before = setup.target()
                    .network()
                    .map(network -> OptionalInt.of(network.distanceMillis()))
                    .orElse(OptionalInt.empty());
            Optional<ComparisonException> failure = failureOf(() -> stages(run, raw));
            before.ifPresent(millis -> putBack(run, millis));
            run.roundTrips.close();
            Results results = results(run, raw, started, environment);
            if (!results.measuredNothing()) {
                write(results);
            }
            if (failure.isPresent() && !interrupted) {
                throw failure.get();
            }
            return results;
        }
    }

    private static Optional<ComparisonException> failureOf(Runnable stages) {
        try {
            stages.run();
            return Optional.empty();
        } catch (ComparisonException e) {
            return Optional.of(e);
        } catch (UncheckedIOException e) {
            return Optional.of(new ComparisonException("Reading or writing failed: " + e.getMessage()));
        } catch (ProcessException e) {
            return Optional.of(new ComparisonException("The comparison cannot go on: " + e.getMessage()));
        }
    }

    /** What was measured counts also where this fails. */
    private void putBack(Run run, int distanceMillis) {
        try {
            run.setDistance(distanceMillis);
        } catch (ProcessException e) {
            display.line("The distance of %d ms could not be put back. %s".formatted(distanceMillis, e.getMessage()));
        }
    }

    private void stages(Run run, RawRuns raw) {
        // What comes before the first round is no cell's.
        run.setDistance(0);
        if (setup.preset().timing().warmUpLoad().isPresent()) {
            run.progress("the first calls", setup.rows().size() * FIRST_CALLS.length * FIRST_CALLS_SECONDS);
            setup.rows().forEach(row -> firstCalls(run, row));
        }
        stage(run, "closed", row -> cells(run, row, setup.preset().closed()));
        stage(run, "open", row -> cells(run, row, setup.preset().open()));
        run.setDistance(0);
        raw.run(setup.rows());
    }

    /**
     * Makes requests of more and more calls, one after the other, before the first load. A load that finds cold JVMs
     * has all of its first calls wait for the same connections and the same code, some of them past their deadlines.
     */
    private void firstCalls(Run run, String row) {
        for (int calls : FIRST_CALLS) {
            long deadline = System.nanoTime() + (long) (FIRST_CALLS_SECONDS * 1e9);
            while (!interrupted && System.nanoTime() < deadline) {
                try {
                    LocalHttp.get(setup.target().aggregator().port(), "/%s/square/unary/%d".formatted(row, calls));
                } catch (IOException e) {
                    // The load that follows will find out why.
                    run.pause(FIRST_CALLS_SECONDS / 10);
                }
            }
        }
    }

    private void stage(Run run, String name, Function<String, List<CellPlan>> cells) {
        Optional<Workload> load =
                hadTheLoad ? Optional.empty() : setup.preset().timing().warmUpLoad();
        List<Slot> slots = Schedule.of(setup.preset(), setup.rows(), load, cells);
        if (slots.isEmpty() || interrupted) {
            return;
        }
        if (!slots.get(0).isFirstWarmUp()) {
            run.measureIdle(Optional.empty());
        }
        run.setDistance(slots.get(0).cell().workload().distanceMillis());
        run.progress("starting the generator", GENERATOR_START);
        Generator started =
                Generator.start(name, slots, setup.preset(), setup.target(), setup.loadTests(), setup.folder());
        ChildProcess process = started.process();
        generator = process;
        try {
            new Stage(run, slots, started, this::measured, this::warmedUp).drive();
            hadTheLoad = true;
            run.progress("Gatling writes its pages", GATLING_PAGES);
            long deadline = System.nanoTime() + GATLING_PAGES_AT_MOST.toNanos();
            while (process.isAlive() && !interrupted && System.nanoTime() < deadline) {
                run.pause(0.05);
            }
        } finally {
            process.stop(Duration.ofSeconds(5));
            generator = null;
        }
    }

    /** A share of a capacity is left out where the closed model found none. */
    private List<CellPlan> cells(Run run, String row, List<Workload> workloads) {
        Set<CellPlan> cells = new LinkedHashSet<>();
        for (Workload workload : workloads) {
            if (!has(row, workload)) {
                continue;
            }
            if (workload.load() instanceof Load.Share share) {
                capacity(run, row, workload)
                        .ifPresent(capacity ->
                                cells.add(new CellPlan(row, workload, threeDigits(share.ofCapacity() * capacity))));
            } else if (workload.load() instanceof Load.ShareOfSlowest share) {
                setup.rows().stream()
                        .flatMap(each -> capacity(run, each, workload).stream())
                        .min(Double::compare)
                        .ifPresent(slowest -> cells.add(CellPlan.of(row, workload.under(share.of(slowest)))));
            } else {
                cells.add(CellPlan.of(row, workload));
            }
        }
        return List.copyOf(cells);
    }

    /** Which are near enough to the share. */
    private static double threeDigits(double requestsPerSecond) {
        return new BigDecimal(requestsPerSecond).round(new MathContext(3)).doubleValue();
    }

    /** The most requests per second that any number of users got: the median of the best cell. */
    private Optional<Double> capacity(Run run, String row, Workload workload) {
        return cells(run).stream()
                .filter(cell -> cell.row().equals(row)
                        && !cell.workload().isOpen()
                        && cell.workload().differsOnlyInLoadFrom(workload)
                        && cell.valid())
                .flatMap(cell -> Optional.ofNullable(cell.median().requestsPerSecond()).stream())
                .filter(rate -> rate > 0)
                .max(Double::compare);
    }

    private void warmedUp(Slot slot, String words) {
        line("warm-up    %-32s %s".formatted(slot.cell(), words));
    }

    private void measured(Slot slot, MeasuredRound measured) {
        if (slot.isFirstWarmUp()) {
            measured.round()
                    .reasons()
                    .forEach(reason -> warmUpReasons
                            .computeIfAbsent(slot.cell().row(), row -> new ArrayList<>())
                            .add("in the first warm-up: " + reason));
            return;
        }
        List<String> before =
                Optional.ofNullable(warmUpReasons.remove(slot.cell().row())).orElse(List.of());
        MeasuredRound counted = measured.withReasons(before);
        Round round = counted.round();
        rounds.computeIfAbsent(slot.cell(), cell -> new ArrayList<>()).add(counted);
        line("round %d/%d  %-32s %9s calls/s  %7s CPU-µs/call  %s"
                .formatted(
                        slot.round(),
                        setup.preset().rounds(),
                        slot.cell(),
                        FigureText.digits(round.figures().callsPerSecond()),
                        FigureText.digits(round.figures().cpuSystem()),
                        round.valid() ? "valid" : "NOT VALID: " + String.join("; ", round.reasons())));
    }

    private void line(String text) {
        if (!display.interactive()) {
            display.line(text);
        }
    }

    private List<Cell> cells(Run run) {
        Optional<Workload> load = setup.preset().timing().warmUpLoad();
        List<Cell> cells = new ArrayList<>();
        rounds.forEach((plan, measured) -> {
            Target.RowTarget row = setup.target().row(plan.row());
            List<String> doubts = new ArrayList<>(
                    run.firstWarmUp.doubts(plan, load.map(workload -> CellPlan.of(plan.row(), workload))));
            List<@Nullable Double> calls = new ArrayList<>();
            measured.forEach(
                    each -> calls.add(each.round().figures().callLatency().p50()));
            doubts.addAll(run.roundTrips.doubts(plan, Statistics.median(calls)));
            cells.add(Medians.cell(plan, row.row().kind().text(), measured, doubts, run.idleCpuOf(row)));
        });
        return cells;
    }

    private Results results(Run run, RawRuns raw, Instant started, Environment environment) {
        return new Results(
                ResultsFile.SCHEMA,
                setup.preset().name(),
                setup.command(),
                started.truncatedTo(ChronoUnit.SECONDS),
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                interrupted,
                new Environment(
                        environment.machine(),
                        environment.java(),
                        environment.versions(),
                        environment.git(),
                        environment.settings(),
                        run.faults()),
                run.idleCpu(),
                cells(run).stream()
                        .sorted(Comparator.comparing(Cell::workload).thenComparing(Cell::row))
                        .toList(),
                raw.results(),
                run.counts.counts(),
                run.roundTrips.results(),
                gatlingReports());
    }

    /** The pages that Gatling wrote, relative to the folder. */
    private List<String> gatlingReports() {
        Path gatling = setup.folder().resolve("gatling");
        try (Stream<Path> runs = Files.isDirectory(gatling) ? Files.list(gatling) : Stream.empty()) {
            return runs.map(run -> run.resolve("index.html"))
                    .filter(Files::exists)
                    .map(page -> setup.folder().relativize(page).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whole or not at all: half a file on a full disk would be taken for results. */
    private void write(Results results) {
        Path file = setup.folder().resolve(ResultsFile.NAME);
        Path unfinished = file.resolveSibling(ResultsFile.NAME + ".unfinished");
        try {
            Files.createDirectories(setup.folder());
            try {
                Files.writeString(unfinished, ResultsFile.write(results));
                Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            throw new ComparisonException(
                    "The results cannot be written to %s: %s".formatted(setup.folder(), e.getMessage()), results);
        }
    }

    /** Lets {@link #run} return soon with what was measured until now. */
    public void interrupt() {
        interrupted = true;
        ChildProcess process = generator;
        if (process != null) {
            process.stop(Duration.ofSeconds(2));
        }
        RawRuns runs = raw;
        if (runs != null) {
            runs.interrupt();
        }
    }
}
