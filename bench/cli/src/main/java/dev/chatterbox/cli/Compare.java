package dev.chatterbox.cli;

import dev.chatterbox.comparison.Comparison;
import dev.chatterbox.comparison.ComparisonException;
import dev.chatterbox.comparison.Injection;
import dev.chatterbox.comparison.Preset;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.report.Against;
import dev.chatterbox.results.Results;
import dev.chatterbox.rows.Row;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.StackPlan;
import dev.chatterbox.stack.Testbeds;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.testbed.Target;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "compare",
        description = {
            "Compare the transports and write a report.",
            "Uses the stack that runs, or else starts one and stops it again. Exit code 1 also if a row is not valid."
        })
final class Compare implements Callable<Integer> {

    static final String QUICK = "quick";

    private static final String AGAINST = "against";
    private static final String TARGET = "target";

    private final Repository repository;
    private final Terminal terminal;
    private final Map<String, String> environment;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final WorkloadOptions workloads = new WorkloadOptions();

    @Mixin
    private final TransportsOption transports = new TransportsOption();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Draws the same orders of slices as another run (default: a new one).")
    private @Nullable Long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder for the results (default: .chatterbox/results/<time>-<preset>).")
    private @Nullable Path out;

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            description = "The stack whose ports are all moved by N (default: 0, or another if those are taken).")
    private @Nullable Integer offset;

    @Option(
            names = "--against",
            paramLabel = "COMMIT|FOLDER",
            description = {
                "Compare this checkout with another version of it: a commit, a checkout or an unpacked release.",
                "Both run at the same time, with the rows that both have."
            })
    private @Nullable String against;

    @Option(
            names = "--fail-above",
            paramLabel = "PERCENT",
            description = "Exit with 3 if a row is dearer than the base by more than this beyond doubt.")
    private @Nullable String failAbove;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    /** The comparison, or null until the first stack is up. */
    private volatile @Nullable Comparison begun;

    Compare(Repository repository, Terminal terminal, Map<String, String> environment) {
        this.repository = repository;
        this.terminal = terminal;
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        Preset workload = workloads.preset(
                repository.presets(), against != null ? AGAINST : target.isNamed() ? TARGET : QUICK, environment);
        double bound = failAbove();
        if (target.isNamed()) {
            return target(workload);
        }
        return compare(
                workload,
                transports.names.isEmpty() ? workload.rows() : transports.names,
                out == null ? Measurements.folder(repository, workload.name()) : out,
                bound);
    }

    /**
     * Compares rows by a preset, without the options of the command line.
     *
     * @param out the folder for the results
     * @return the exit code
     */
    int compare(Preset workload, List<String> names, Path out) throws IOException {
        return compare(workload, names, out, Double.POSITIVE_INFINITY);
    }

    private int compare(Preset workload, List<String> names, Path out, double bound) throws IOException {
        Selection selection = Selection.of(repository.rows(), names);
        requireExchange(workload, selection.rows());
        // This throws if the offset moves a port out of the range of ports.
        StackPlan.of(repository.stack(offset == null ? 0 : offset), selection);
        ResultFolder folder = folder(out);
        begun = null;
        Thread thread = Thread.currentThread();
        // While this is open, Ctrl-C lets the program write what it has measured and stop what it has started.
        try (Interruption interruption = new Interruption(() -> interrupt(thread), terminal)) {
            return against == null
                    ? run(workload, Map.of("", repository), names, folder, bound)
                    : against(against, workload, selection, folder, bound);
        }
    }

    /** Measures a system that this program did not start. */
    private int target(Preset chosen) throws IOException {
        if (against != null || offset != null || chosen.starts() > 1 && workloads.starts != null) {
            throw wrong("--target does not go with --against, --port-offset and --starts: it starts nothing.");
        }
        TargetOptions.require(chosen);
        Injection injection = target.injection(environment);
        return target(chosen, target.find(transports.names, repository.rows(), environment), injection);
    }

    private int target(Preset chosen, Deployment deployment, Injection injection) throws IOException {
        requireExchange(
                chosen,
                deployment.target().rows().stream().map(Target.RowTarget::row).toList());
        JsonNode bounds = deployment.info().at("/chatterbox/fanOut");
        int maxRequests = bounds.path("maxRequests").asInt(WorkloadOptions.DEFAULT_MAX_REQUESTS);
        Preset preset = fitting(chosen, bounds, maxRequests);
        ResultFolder folder = folder(out == null ? Measurements.folder(repository, preset.name()) : out);
        Thread thread = Thread.currentThread();
        folder.create();
        try (Interruption interruption = new Interruption(() -> interrupt(thread), terminal)) {
            List<String> rows = deployment.target().rows().stream()
                    .map(row -> row.row().name())
                    .toList();
            Comparison comparison = comparison(preset, rows, folder, maxRequests);
            begun = comparison;
            terminal.line("%s: %s at %s; CPU time from %s; at most about %s after the warm-up"
                    .formatted(
                            preset.name(),
                            deployment.target().rows().stream()
                                    .map(row -> row.row().name())
                                    .collect(Collectors.joining(", ")),
                            deployment.aggregator().address(),
                            deployment.prometheus().name(),
                            Measurements.readable(preset.seconds())));
            if (!deployment.unknown().isEmpty()) {
                terminal.line(
                        "It does not know the CPU time of %s, so rows with it have throughput and latency, but no cost."
                                .formatted(String.join(", ", deployment.unknown())));
            }
            try {
                comparison.measure(deployment, injection);
            } catch (ComparisonException e) {
                folder.show(comparison, Double.POSITIVE_INFINITY);
                throw e;
            }
            return exitCode(folder.show(comparison, Double.POSITIVE_INFINITY), false, 0);
        } finally {
            folder.deleteIfEmpty();
        }
    }

    private Comparison comparison(Preset preset, List<String> rows, ResultFolder folder, int maxRequests) {
        return new Comparison(
                new Comparison.Setup(
                        preset,
                        rows,
                        repository.loadTests(),
                        repository.root(),
                        folder.path(),
                        Measurements.command(spec),
                        seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed,
                        maxRequests),
                terminal);
    }

    private void interrupt(Thread thread) {
        Comparison comparison = begun;
        if (comparison != null) {
            terminal.line("Interrupted; keeping what was measured.");
            comparison.interrupt();
        } else if (against != null) {
            // The thread may be building the base. A stack that is being started stops by itself.
            thread.interrupt();
        }
    }

    /** The percentage as a fraction: 0.05 is 5 %. */
    private double failAbove() {
        if (failAbove == null) {
            return Double.POSITIVE_INFINITY;
        }
        if (against == null) {
            throw wrong("--fail-above goes with --against.");
        }
        try {
            return Preset.part(failAbove);
        } catch (WorkloadException e) {
            throw wrong("--fail-above: " + e.getMessage());
        }
    }

    private int against(String base, Preset chosen, Selection selection, ResultFolder folder, double bound)
            throws IOException {
        try (Base other = Base.of(repository, base, terminal)) {
            terminal.progress("building the base");
            Repository built = other.built(selection.names());
            List<String> both = selection.names().stream()
                    .filter(row -> built.rows().find(row).isPresent())
                    .toList();
            if (both.isEmpty()) {
                throw wrong("The base has none of the rows %s.".formatted(String.join(", ", selection.names())));
            }
            Map<String, Repository> sides = new LinkedHashMap<>();
            sides.put(Against.BASE, built);
            sides.put(Against.THIS, repository);
            return run(chosen, sides, both, folder, bound);
        }
    }

    /** @param sides the checkouts, by the name of their side; a single side has an empty name */
    private int run(
            Preset chosen, Map<String, Repository> sides, List<String> names, ResultFolder folder, double failAbove)
            throws IOException {
        folder.create();
        try {
            return runIn(folder, chosen, sides, names, failAbove);
        } finally {
            folder.deleteIfEmpty();
        }
    }

    private int runIn(
            ResultFolder folder, Preset chosen, Map<String, Repository> sides, List<String> names, double failAbove)
            throws IOException {
        Comparison comparison = null;
        try {
            // Brokers that are kept belong to one stack, whose services are started several times.
            int stacks = chosen.keepBrokers() ? 1 : chosen.starts();
            int startsOfEach = chosen.starts() / stacks;
            for (int stack = 1; stack <= stacks; stack++) {
                try (Testbeds testbeds = Testbeds.open(
                        sides, Optional.ofNullable(offset), names, chosen.longestDistanceMillis(), terminal)) {
                    if (chosen.starts() > 1 || sides.size() > 1) {
                        testbeds.requireOwn();
                    }
                    if (comparison == null) {
                        comparison = comparison(chosen, testbeds, folder);
                        begun = comparison;
                    }
                    comparison.start(testbeds.targets());
                    for (int start = 2; start <= startsOfEach && !comparison.interrupted(); start++) {
                        terminal.line("The brokers stay; the aggregator and the responders are started again.");
                        testbeds.restartServices(Chatterbox.CONTROL);
                        comparison.start(testbeds.targets());
                    }
                }
                if (comparison.interrupted()) {
                    break;
                }
            }
        } catch (RuntimeException | IOException e) {
            // Whatever ends a later start, what was measured before it stays.
            if (comparison != null) {
                comparison.noteEnd(e.getMessage());
                folder.show(comparison, failAbove);
            }
            throw e;
        }
        Comparison measured = Objects.requireNonNull(comparison, "at least one start");
        return exitCode(folder.show(measured, failAbove), sides.size() > 1, failAbove);
    }

    private static int exitCode(Results results, boolean twoSides, double failAbove) {
        if (results.interrupted() || !results.valid()) {
            return ExitCode.FAILED;
        }
        if (!twoSides) {
            return ExitCode.OK;
        }
        Against against = Against.of(results);
        if (!against.valid()) {
            return ExitCode.FAILED;
        }
        return against.dearerThan(failAbove).isEmpty() ? ExitCode.OK : ExitCode.DEARER;
    }

    private Comparison comparison(Preset chosen, Testbeds testbeds, ResultFolder folder) throws IOException {
        Target target = testbeds.first();
        List<String> rows = testbeds.rows();
        JsonNode bounds = JsonMapper.shared()
                .readTree(LocalHttp.get(target.aggregator().first().port(), "/actuator/info")
                        .body())
                .at("/chatterbox/fanOut");
        int maxRequests = bounds.path("maxRequests").asInt(WorkloadOptions.DEFAULT_MAX_REQUESTS);
        Preset preset = fitting(atDistance(chosen, target), bounds, maxRequests);
        Comparison comparison = comparison(preset, rows, folder, maxRequests);
        terminal.line("%s: %s; at most about %s%s; the order of slices is drawn with --seed %d"
                .formatted(
                        preset.name(),
                        String.join(", ", rows),
                        Measurements.readable(comparison.seconds(testbeds.size())),
                        preset.starts() == 1 ? "" : " for each of %d starts".formatted(preset.starts()),
                        comparison.seed()));
        comparison.leftOut(target).forEach(terminal::line);
        return comparison;
    }

    /** Checked before anything is started: without one of the exchanges, a row has nothing to measure. */
    private static void requireExchange(Preset workload, List<Row> rows) {
        Set<Exchange> measured =
                workload.workloads().stream().map(Workload::exchange).collect(Collectors.toCollection(TreeSet::new));
        rows.stream()
                .filter(row -> Collections.disjoint(row.exchanges(), measured))
                .findFirst()
                .ifPresent(row -> {
                    throw wrong("The row %s has no exchange %s; it has %s."
                            .formatted(row.name(), Exchange.names(measured), Exchange.names(row.exchanges())));
                });
    }

    /** If no distances are named, a stack that was started with a distance is measured at that one. */
    private Preset atDistance(Preset workload, Target target) {
        return workloads.distances.isEmpty() && workload.longestDistanceMillis() == 0
                ? target.network()
                        .map(network -> workload.withDistances(List.of(network.distanceMillis())))
                        .orElse(workload)
                : workload;
    }

    /** A stack that was running before may have limits of its own. */
    private static Preset fitting(Preset workload, JsonNode bounds, int maxRequests) {
        int maxCalls = bounds.path("maxCalls").asInt(WorkloadOptions.DEFAULT_MAX_CALLS);
        workload.require(maxCalls, maxRequests);
        CallTimeout.require(
                workload.longestDistanceMillis(),
                CallTimeout.of(bounds.path("callTimeout").asString("")));
        return workload.accepted(maxCalls, maxRequests);
    }

    private ResultFolder folder(Path path) {
        return ResultFolder.of(path.toAbsolutePath().normalize(), terminal, environment);
    }

    private static UsageException wrong(String message) {
        return new UsageException(message);
    }
}
