package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.comparison.environment.EnvironmentProbe;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares variants in blocks: in each block every variant has one slice under each workload, in a new random order. An
 * object serves one comparison. {@link #start} is called once for each start of the stack; {@link #interrupt} may be
 * called from another thread.
 */
public final class Comparison {

    /** Seconds that the generator takes to start. */
    private static final double GENERATOR_START = 4;

    /** A variant is not ranked if its slices' CPU time differs from a process's own total by more than this part. */
    private static final double CLOCKS_APART = 0.01;

    private final Setup setup;
    private final Steps display;
    private final Instant started = Instant.now();
    private final Cells cells;
    private final Blocks blocks;
    private final Set<String> doubts = new LinkedHashSet<>();

    /** One for each start, the last of which may be under way. */
    private final List<Run> runs = new ArrayList<>();

    private final BlockCounts.Counter counter;
    private final Generators generators;
    private @Nullable Environment environment;
    private int starts;

    /** Whether everything was measured that was to be measured. */
    private boolean complete;

    private volatile boolean interrupted;
    private volatile @Nullable Run current;

    /** Starts the load generator, with so many users, for a start of the stack. */
    interface Generators {
        SliceWorker start(Target target, int users, String suffix);
    }

    /**
     * @param variants the names of the variants to compare; {@code memory} is added if the stack has it
     * @param loadTests the folder of the module {@code load-tests}, built
     * @param checkout the checkout whose revision the results show
     * @param folder the folder for the results; absolute
     * @param command the command line that the user typed
     * @param seed the seed of the order of slices
     * @param maxRequests how many requests the aggregator accepts at once
     */
    public record Setup(
            Preset preset,
            List<String> variants,
            Path loadTests,
            Path checkout,
            Path folder,
            String command,
            long seed,
            int maxRequests) {}

    public Comparison(Setup setup, Steps display) {
        this(
                setup,
                display,
                (target, users, suffix) -> Worker.generator(
                        setup.loadTests(), target.aggregator().addresses(), users, setup.folder(), suffix),
                ServiceCounts::of);
    }

    /** With another generator, and with another reader of what services count. */
    Comparison(Setup setup, Steps display, Generators generators, BlockCounts.Counter counter) {
        this.generators = generators;
        this.counter = counter;
        this.setup = setup;
        this.display = display;
        cells = new Cells(setup.preset(), setup.variants());
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
        int variants = setup.variants().size() + (sides == 1 && preset.memory() ? 1 : 0);
        double calibrations = sides * variants * (preset.workloads().size() + (preset.bare() && sides == 1 ? 5 : 0));
        return GENERATOR_START
                + WarmUp.seconds(preset, variants, sides)
                + calibrations
                        * (preset.warmUpLoad().isPresent() ? 2.8 : 1.5)
                        * preset.effort().sliceSeconds()
                + preset.effort().seconds();
    }

    /** Sentences that say what is not measured because a variant does not have the call mode. */
    public List<String> leftOut(Target target) {
        List<String> sentences = new ArrayList<>();
        for (CallMode mode : CallMode.values()) {
            boolean measured = setup.preset().workloads().stream().anyMatch(workload -> workload.mode() == mode);
            List<String> without = setup.variants().stream()
                    .filter(variant ->
                            !target.variant(variant).variant().modes().contains(mode))
                    .toList();
            if (measured && !without.isEmpty()) {
                sentences.add("Left out, because they have no such call mode: %s over %s."
                        .formatted(mode.text(), String.join(", ", without)));
            }
        }
        return sentences;
    }

    /**
     * Measures during one start of the stack, or of two stacks that are compared with each other.
     *
     * @param sides the stacks by the names of their sides; of one stack the name is empty
     * @throws ProcessException the run failed; {@link #results} has what was measured until then
     */
    public void start(Map<String, Target> sides) {
        starts++;
        Target first = sides.values().iterator().next();
        if (environment == null) {
            environment = EnvironmentProbe.of(first, setup.loadTests(), setup.checkout());
        }
        int users = sides.size() * setup.preset().residents(setup.maxRequests());
        measure(
                seconds(sides.size()),
                progress -> new LocalRun(
                        starts,
                        sides,
                        generators.start(first, users, starts == 1 ? "" : "-" + starts),
                        new BlockCounts(sides.values(), counter),
                        setup.folder(),
                        progress,
                        this::interrupted));
        complete = starts == setup.preset().effort().starts() && !interrupted;
    }

    /**
     * Measures a system that this program did not start.
     *
     * @throws ProcessException the run failed; {@link #results} has what was measured until then
     */
    public void measure(Deployment deployment, Injection injection) {
        starts = 1;
        environment = EnvironmentProbe.of(deployment, setup.checkout());
        Preset preset = setup.preset();
        measure(preset.effort().seconds(), progress -> {
            Injectors injectors = injection.start(
                    setup.loadTests(),
                    deployment.aggregator().address().toString(),
                    preset.residents(setup.maxRequests()),
                    setup.folder(),
                    display);
            return new RemoteRun(
                    deployment,
                    injectors,
                    progress,
                    RemoteRun.SETTLING_SECONDS,
                    RemoteRun.PATIENCE_SECONDS,
                    this::interrupted);
        });
        complete = !interrupted;
    }

    private void measure(double seconds, Function<ProgressLine, Run> start) {
        try (ProgressLine progress =
                new ProgressLine(display, setup.folder().resolve("logs").resolve("progress.log"))) {
            progress.expect(seconds);
            progress.doing("starting the generator", 0);
            try (Run run = start.apply(progress)) {
                runs.add(run);
                current = run;
                run.measure(setup.preset(), cells, blocks, this::write);
            }
        } catch (UncheckedIOException | ProcessException e) {
            // After an interrupt, it is no failure that the generator is gone.
            if (!interrupted) {
                // Nobody knows all calls of the slice under way.
                Optional.ofNullable(current).ifPresent(run -> run.counts.incomplete());
                noteEnd(e.getMessage());
                throw new ProcessException(String.valueOf(e.getMessage()));
            }
        } finally {
            current = null;
        }
    }

    /** Notes in the results why the run ended before its time. */
    public void noteEnd(@Nullable String why) {
        doubts.add("The run ended before its time. " + why);
    }

    /** What was measured until now; {@link Results#interrupted} unless that is everything. */
    public Results results() {
        Map<String, Double> idleCpu = new TreeMap<>();
        Map<String, Results.ProcessFigures> figures = new TreeMap<>();
        Set<String> why = new LinkedHashSet<>(doubts);
        for (Run run : runs) {
            run.idleCpu().forEach((name, use) -> idleCpu.merge(name, use, Math::max));
            run.processes.forEach((name, use) -> figures.merge(name, use, Results.ProcessFigures::and));
            why.addAll(run.doubts);
            why.addAll(run.counts.doubts());
        }
        List<String> apart = figures.entrySet().stream()
                .filter(process -> process.getValue().sliceDifference() > CLOCKS_APART)
                .map(Map.Entry::getKey)
                .toList();
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
                Counts.sum(runs.stream().map(run -> run.counts.sum()).toList()),
                runs.isEmpty() ? List.of() : runs.get(runs.size() - 1).roundTrips(),
                List.copyOf(why));
    }

    private Collection<String> doubts(CellLog log, List<String> apart) {
        Subject subject = log.subject();
        Set<String> why = new LinkedHashSet<>();
        runs.forEach(run -> why.addAll(run.doubts(log)));
        if (subject.variantTarget().variant().description().group() == Variant.Group.CLAIMS) {
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
     * @throws ProcessException it cannot be written
     */
    public void write() {
        Results results = results();
        if (results.measuredNothing()) {
            return;
        }
        Path file = setup.folder().resolve(ResultsFile.NAME);
        try {
            ResultsFile.replace(file, ResultsFile.write(results));
        } catch (IOException e) {
            throw new ProcessException("%s cannot be written: %s".formatted(file, e.getMessage()));
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
    }
}
