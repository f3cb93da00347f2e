package dev.chatterbox.cli;

import dev.chatterbox.comparison.Comparison;
import dev.chatterbox.comparison.Injection;
import dev.chatterbox.comparison.Preset;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.report.Against;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackPlan;
import dev.chatterbox.stack.Target;
import dev.chatterbox.stack.Testbeds;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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
            "Uses the stack that runs, or starts one and stops it again. Exit code 1 also if over a tenth of a variant's measurements had errors or counts that disagree."
        })
final class Compare extends CheckoutCommand {

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
            description = "Measure in the same random order as another run (default: a new one).")
    private @Nullable Long seed;

    @Mixin
    private final OutOption out = new OutOption();

    @Mixin
    private final PortOffset offset = new PortOffset();

    @Option(
            names = "--against",
            paramLabel = "COMMIT|FOLDER",
            description = {
                "Compare this checkout with another version of it: a commit, a checkout or an unpacked release.",
                "Both run at the same time, with the variants that both have."
            })
    private @Nullable String against;

    @Option(
            names = "--fail-above",
            paramLabel = "PERCENT",
            description = "With --against: exit code 3 if a variant costs over PERCENT more, with 99 %% confidence.")
    private @Nullable String failAbove;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    /** The comparison, or null until the first stack is up. */
    private volatile @Nullable Comparison current;

    private volatile boolean interrupted;

    /** Measures, and sets {@link #current} as soon as a stack is up. */
    @FunctionalInterface
    private interface Measurement {
        void run() throws IOException;
    }

    Compare(Repository repository, Terminal terminal, Map<String, String> environment) {
        super(repository, terminal);
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        String byDefault = against != null ? "against" : target.isNamed() ? "target" : "quick";
        Preset preset = workloads.preset(repository.presets(), byDefault);
        failAbove();
        Path path = out.folder(repository, preset.name());
        return target.isNamed()
                ? target(preset, path)
                : compare(preset, transports.names.isEmpty() ? preset.variants() : transports.names, path);
    }

    /** The part by which a variant may cost more than its base: 0.05 is 5 %. */
    private double failAbove() {
        if (failAbove == null) {
            return Double.POSITIVE_INFINITY;
        }
        if (against == null) {
            throw new UsageException("--fail-above goes with --against.");
        }
        try {
            return Preset.part(failAbove);
        } catch (WorkloadException e) {
            throw new UsageException("--fail-above: " + e.getMessage());
        }
    }

    /**
     * Compares variants by a preset.
     *
     * @param path of the folder for the results
     * @return the exit code
     */
    int compare(Preset preset, List<String> names, Path path) throws IOException {
        Selection selection = Selection.of(repository.variants(), names);
        requireCallMode(preset, selection.variants());
        // This throws if the offset moves a port out of the range of ports.
        Stack stack = repository.stack(offset.value());
        StackPlan.of(stack, selection);
        if (!stack.runs()) {
            WorkloadOptions.require(preset, environment);
        }
        ResultFolder folder = folder(path);
        String base = against;
        return measureAndShow(
                folder,
                base == null
                        ? () -> measure(preset, Map.of("", repository), names, folder)
                        : () -> measureAgainst(base, preset, selection.names(), folder));
    }

    /** Measures a system that this program did not start. */
    private int target(Preset preset, Path path) throws IOException {
        if (against != null || offset.named().isPresent() || preset.effort().starts() > 1 && workloads.starts != null) {
            throw new UsageException(
                    "--target does not go with --against, --port-offset and --starts: it starts nothing.");
        }
        TargetOptions.require(preset);
        Injection injection = target.injection(environment);
        Deployment deployment = target.find(transports.names, repository.variants(), environment);
        List<Variant> variants = deployment.target().variants().stream()
                .map(Target.VariantTarget::variant)
                .toList();
        requireCallMode(preset, variants);
        ResultFolder folder = folder(path);
        return measureAndShow(folder, () -> {
            List<String> names = variants.stream().map(Variant::name).toList();
            Comparison comparison = begin(preset, deployment.info(), names, folder);
            terminal.line("%s: %s at %s; CPU time from %s; at most about %s after the warm-up"
                    .formatted(
                            preset.name(),
                            String.join(", ", names),
                            deployment.aggregator().address(),
                            deployment.prometheus().name(),
                            Numbers.time(preset.effort().seconds())));
            if (!deployment.unknown().isEmpty()) {
                terminal.line(
                        "Prometheus does not know the CPU time of %s, so variants with it have throughput and latency, but no cost."
                                .formatted(String.join(", ", deployment.unknown())));
            }
            comparison.measure(deployment, injection);
        });
    }

    /** Shows what was measured, also if a signal or a failure ends it, and returns the exit code. */
    private int measureAndShow(ResultFolder folder, Measurement measurement) throws IOException {
        ChildEnvironment.sentences(environment).forEach(terminal::line);
        current = null;
        interrupted = false;
        Thread thread = Thread.currentThread();
        // While this is open, Ctrl-C lets the program write what it has measured and stop what it has started.
        try (Interruption interruption = new Interruption(() -> interrupt(thread), terminal)) {
            try {
                measurement.run();
            } catch (RuntimeException | IOException e) {
                // Whatever ends a later start, what was measured before it stays.
                Comparison comparison = current;
                if (comparison != null) {
                    comparison.noteEnd(e.getMessage());
                    folder.show(comparison.results(), comparison::write);
                } else if (interrupted) {
                    throw new ProcessException("Interrupted; nothing was measured.", e);
                }
                throw e;
            }
            Comparison comparison = Objects.requireNonNull(current, "at least one start");
            Results results = comparison.results();
            folder.show(results, comparison::write);
            return exitCode(results);
        }
    }

    private void interrupt(Thread thread) {
        interrupted = true;
        Comparison comparison = current;
        if (comparison != null) {
            terminal.line("Interrupted; keeping what was measured.");
            comparison.interrupt();
        } else {
            // The thread may be building the base, or fetching a program. A stack that is being started stops by
            // itself.
            thread.interrupt();
        }
    }

    private int exitCode(Results results) {
        if (results.interrupted() || !results.valid()) {
            return ExitCode.FAILED;
        }
        if (against == null) {
            return ExitCode.OK;
        }
        Against ratios = Against.of(results);
        if (!ratios.valid()) {
            return ExitCode.FAILED;
        }
        return ratios.costlierThan(failAbove()).isEmpty() ? ExitCode.OK : ExitCode.NEGATIVE;
    }

    private void measureAgainst(String text, Preset preset, List<String> names, ResultFolder folder)
            throws IOException {
        try (Base base = Base.of(repository, text, terminal)) {
            terminal.progress("building the base");
            Repository other = base.build(names);
            List<String> both = names.stream()
                    .filter(variant -> other.variants().find(variant).isPresent())
                    .toList();
            if (both.isEmpty()) {
                throw new UsageException("The base has none of the variants %s.".formatted(String.join(", ", names)));
            }
            Map<String, Repository> sides = new LinkedHashMap<>();
            sides.put(Against.BASE, other);
            sides.put(Against.THIS, repository);
            measure(preset, sides, both, folder);
        }
    }

    /** @param sides the checkouts, by the name of their side; a single side has an empty name */
    private void measure(Preset preset, Map<String, Repository> sides, List<String> names, ResultFolder folder)
            throws IOException {
        // Brokers that are kept belong to one stack, whose services are started several times.
        int stacks = preset.keepBrokers() ? 1 : preset.effort().starts();
        Comparison comparison = null;
        for (int stack = 1; stack <= stacks && (comparison == null || !comparison.interrupted()); stack++) {
            try (Testbeds testbeds =
                    Testbeds.open(sides, offset.named(), names, preset.longestDistanceMillis(), terminal)) {
                if (preset.effort().starts() > 1 || sides.size() > 1) {
                    testbeds.requireOwn();
                }
                if (comparison == null) {
                    comparison = begin(preset, testbeds, folder);
                }
                comparison.start(testbeds.targets());
                for (int start = stacks; start < preset.effort().starts() && !comparison.interrupted(); start++) {
                    terminal.line("The brokers stay; the aggregator and the responders are started again.");
                    testbeds.restartServices(Chatterbox.CONTROL);
                    comparison.start(testbeds.targets());
                }
            }
        }
    }

    private Comparison begin(Preset chosen, Testbeds testbeds, ResultFolder folder) throws IOException {
        // The limits of the first one hold for the whole comparison.
        Map<String, Target> targets = testbeds.targets();
        Target target = targets.values().iterator().next();
        String info = LocalHttp.get(target.aggregator().first().port(), "/actuator/info")
                .body();
        // If no distances are named, a stack that was started with a distance is measured at that one.
        Preset preset = workloads.namesDistance() || chosen.longestDistanceMillis() > 0
                ? chosen
                : target.network()
                        .map(network -> chosen.withDistance(network.distanceMillis()))
                        .orElse(chosen);
        Comparison comparison = begin(preset, JsonMapper.shared().readTree(info), testbeds.variants(), folder);
        terminal.line("%s: %s; at most about %s%s; for the same random order: --seed %d"
                .formatted(
                        preset.name(),
                        String.join(", ", testbeds.variants()),
                        Numbers.time(comparison.seconds(targets.size())),
                        preset.effort().starts() == 1
                                ? ""
                                : " for each of %d starts"
                                        .formatted(preset.effort().starts()),
                        comparison.seed()));
        comparison.leftOut(target).forEach(terminal::line);
        return comparison;
    }

    /**
     * Begins a comparison within the limits of the aggregator: one that was running before may have limits of its own.
     *
     * @param info the aggregator's {@code /actuator/info}
     */
    private Comparison begin(Preset preset, JsonNode info, List<String> variants, ResultFolder folder)
            throws IOException {
        JsonNode limits = info.at("/chatterbox/fanOut");
        int maxCalls = limits.path("maxCalls").asInt(WorkloadOptions.DEFAULT_MAX_CALLS);
        int maxRequests = limits.path("maxRequests").asInt(WorkloadOptions.DEFAULT_MAX_REQUESTS);
        preset.require(maxCalls, maxRequests);
        CallTimeout.require(
                preset.longestDistanceMillis(),
                CallTimeout.of(limits.path("callTimeout").asString("")));
        // Results in the checkout must not look like a change of it to the next run, which could not be published.
        Files.writeString(Files.createDirectories(folder.path()).resolve(".gitignore"), "*\n");
        Comparison comparison = new Comparison(
                new Comparison.Setup(
                        preset.accepted(maxCalls, maxRequests),
                        variants,
                        repository.loadTests(),
                        repository.root(),
                        folder.path(),
                        Chatterbox.typed(spec),
                        seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed,
                        maxRequests),
                terminal);
        current = comparison;
        if (interrupted) {
            comparison.interrupt();
        }
        return comparison;
    }

    /** Checked before anything is started: without one of the call modes, a variant has nothing to measure. */
    private static void requireCallMode(Preset preset, List<Variant> variants) {
        Set<CallMode> measured =
                preset.workloads().stream().map(Workload::mode).collect(Collectors.toCollection(TreeSet::new));
        for (Variant variant : variants) {
            if (Collections.disjoint(variant.modes(), measured)) {
                throw new UsageException("The variant %s has no call mode %s; it has %s."
                        .formatted(variant.name(), CallMode.names(measured), CallMode.names(variant.modes())));
            }
        }
    }

    private ResultFolder folder(Path path) {
        ResultFolder.requireNew(path, ResultsFile.NAME);
        return new ResultFolder(path, terminal);
    }
}
