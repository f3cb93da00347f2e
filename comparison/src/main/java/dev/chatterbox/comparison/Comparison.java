package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.cli.CliException;
import dev.chatterbox.cli.Terminal;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares transports of a running system: the closed model, then the open one at rates that follow from it, then the bare
 * clients. Used once; {@link #interrupt} may be called from another thread.
 */
public final class Comparison {

    private static final double GENERATOR_START = 5;

    /** Gatling reads its own log again to draw its pages. */
    private static final double GATLING_PAGES = 6;

    private static final Duration GATLING_PAGES_AT_MOST = Duration.ofMinutes(3);

    private final Setup setup;
    private final Terminal terminal;
    private final Map<Cell, List<Round>> rounds = new LinkedHashMap<>();

    /** What went wrong in them is held against the first round. */
    private final Map<Cell, Round> warmUps = new HashMap<>();

    private volatile boolean interrupted;
    private volatile @Nullable ChildProcess generator;
    private volatile @Nullable RawRuns raw;

    /**
     * @param transports names of those to compare
     * @param root the checkout, with {@code load-tests} in it
     * @param folder takes the results; absolute
     * @param command how the user called it
     */
    public record Setup(
            Target target, Preset preset, List<String> transports, Path root, Path folder, String command) {}

    public Comparison(Setup setup, Terminal terminal) {
        this.setup = setup;
        this.terminal = terminal;
    }

    /** How long it will take, in seconds, about. */
    public static double seconds(Preset preset, int transports) {
        double seconds = preset.rawRounds() * transports * RawRuns.seconds(preset);
        int closed = preset.users().size();
        int open = preset.loads().size() + preset.rates().size();
        for (int loads : new int[] {closed, open}) {
            if (loads > 0) {
                int cells = preset.calls().size() * loads;
                double each = FirstWarmUp.likelySeconds(preset.firstWarmUp(), cells) + cells * Slot.BETWEEN;
                for (int calls : preset.calls()) {
                    double round = preset.warmUp().likelySeconds() + preset.secondsOf(calls) + Slot.BETWEEN;
                    each += preset.rounds() * loads * round;
                }
                seconds += transports * each + GENERATOR_START + GATLING_PAGES;
            }
        }
        return seconds;
    }

    /**
     * Runs it and writes the results, also those of a run that was interrupted or failed half-way.
     *
     * @throws CliException it failed; what was measured until then is written
     */
    public Results run() {
        Instant started = Instant.now();
        Map<String, JsonNode> faults = Environment.faults(setup.target());
        Map<String, Object> environment = Environment.of(setup.target(), setup.root(), faults);
        Map<String, String> words = new TreeMap<>();
        faults.forEach((transport, fault) -> words.put(transport, Environment.words(fault)));
        CliException failure = null;
        try (Progress progress = new Progress(terminal)) {
            Run run = new Run(setup.target(), setup.preset(), words, progress, () -> interrupted);
            run.expect(seconds(setup.preset(), setup.transports().size()));
            RawRuns raw = new RawRuns(run, setup.folder());
            this.raw = raw;
            try {
                stages(run, raw);
            } catch (CliException e) {
                failure = e;
            } catch (UncheckedIOException e) {
                failure = new CliException("Reading or writing failed: " + e.getMessage());
            } catch (ProcessException e) {
                failure = new CliException("The comparison cannot go on: " + e.getMessage());
            }
            Results results = results(run, raw, started, environment);
            if (!results.measuredNothing()) {
                try {
                    ResultsFolder.write(setup.folder(), results);
                } catch (UncheckedIOException e) {
                    // Then the terminal is all that is left of it.
                    table(results, terminal).forEach(terminal::line);
                    throw new CliException(
                            "The results cannot be written to %s: %s".formatted(setup.folder(), e.getMessage()));
                }
            }
            if (failure != null && !interrupted) {
                throw failure;
            }
            return results;
        }
    }

    private void stages(Run run, RawRuns raw) {
        Preset preset = setup.preset();
        stage(run, "closed", transport -> closed(preset, transport));
        stage(run, "open", transport -> open(preset, transport));
        List<String> bare = setup.transports().stream()
                .filter(name -> setup.target().transport(name).rawClient().isPresent())
                .toList();
        raw.run(bare);
    }

    private void stage(Run run, String name, Function<String, List<Cell>> workloads) {
        List<Slot> slots = Schedule.of(setup.preset(), setup.transports(), workloads);
        if (slots.isEmpty() || interrupted) {
            return;
        }
        run.progress("starting the generator", GENERATOR_START);
        Generator started = Generator.start(
                name, slots, setup.preset(), setup.target(), setup.root().resolve("load-tests"), setup.folder());
        ChildProcess process = started.process();
        generator = process;
        try {
            new Stage(run, slots, started, this::measured).drive();
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

    /** The heaviest first: the JIT counts calls, not seconds. */
    private static List<Cell> closed(Preset preset, String transport) {
        List<Cell> cells = new ArrayList<>();
        for (int calls : descending(preset.calls())) {
            for (int users : descending(preset.users())) {
                cells.add(Cell.closed(transport, calls, users));
            }
        }
        return cells;
    }

    private static List<Integer> descending(List<Integer> values) {
        return values.stream().sorted(Comparator.reverseOrder()).toList();
    }

    /** At the rates given by hand, else at shares of the capacity, if the closed model found one. */
    private List<Cell> open(Preset preset, String transport) {
        List<Cell> cells = new ArrayList<>();
        for (int calls : descending(preset.calls())) {
            for (double rate : preset.rates()) {
                cells.add(Cell.open(transport, calls, rate, null));
            }
            Double capacity = capacity(transport, calls);
            if (capacity != null) {
                preset.loads().forEach(load -> cells.add(Cell.open(transport, calls, rate(load * capacity), load)));
            }
        }
        return cells;
    }

    /** Three digits, which name a cell well enough. */
    private static double rate(double requestsPerSecond) {
        return new java.math.BigDecimal(requestsPerSecond)
                .round(new java.math.MathContext(3))
                .doubleValue();
    }

    /** The most requests per second that any number of users got. */
    private @Nullable Double capacity(String transport, int calls) {
        return cells().stream()
                .filter(cell -> cell.transport().equals(transport) && cell.calls() == calls && cell.valid())
                .map(cell -> cell.median().requestsPerSecond())
                .filter(rate -> rate != null && rate > 0)
                .max(Double::compare)
                .orElse(null);
    }

    private synchronized void measured(Slot slot, Round measured) {
        if (slot.isFirstWarmUp()) {
            warmUps.put(slot.cell(), measured);
            if (!terminal.interactive()) {
                terminal.line("warm-up    %s %s"
                        .formatted(slot.cell().transport(), slot.cell().shape()));
            }
            return;
        }
        Round round = measured;
        Round warmUp = warmUps.remove(slot.cell());
        if (warmUp != null) {
            for (String reason : warmUp.reasons()) {
                round = round.invalid("in the first warm-up: " + reason);
            }
        }
        rounds.computeIfAbsent(slot.cell(), cell -> new ArrayList<>()).add(round);
        if (!terminal.interactive()) {
            terminal.line("round %d/%d  %-20s %9s calls/s  %7s CPU-µs/call  %s"
                    .formatted(
                            slot.round(),
                            setup.preset().rounds(),
                            slot.cell().transport() + " " + slot.cell().shape(),
                            Format.large(round.callsPerSecond()),
                            Format.short3(Statistics.sum(round.cpu().values())),
                            round.valid() ? "valid" : "NOT VALID: " + String.join("; ", round.reasons())));
        }
    }

    private synchronized List<CellResult> cells() {
        List<CellResult> cells = new ArrayList<>();
        rounds.forEach((cell, measured) -> cells.add(
                CellResult.of(cell, setup.target().transport(cell.transport()).kind(), measured)));
        return cells;
    }

    private Results results(Run run, RawRuns raw, Instant started, Map<String, Object> environment) {
        return new Results(
                Results.SCHEMA,
                setup.preset().name(),
                setup.command(),
                started.truncatedTo(ChronoUnit.SECONDS).toString(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                interrupted,
                environment,
                cells().stream().sorted(Tables.ORDER).toList(),
                raw.results(),
                run.counts.counts(),
                ResultsFolder.gatlingReports(setup.folder()));
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

    /** What the terminal shows at the end. */
    public static List<String> table(Results results, Terminal terminal) {
        return Tables.terminal(results, terminal);
    }
}
