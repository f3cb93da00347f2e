package dev.chatterbox.cli;

import dev.chatterbox.control.StackFaults;
import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.resilience.Scenario;
import dev.chatterbox.resilience.ScenarioRun;
import dev.chatterbox.resilience.Scenarios;
import dev.chatterbox.resilience.StackUnderTest;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import dev.chatterbox.workloads.Durations;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "resilience",
        description = {
            "Break each part of a separate stack under load, check every answer, and judge what happens.",
            "Exit code 1 also if a criterion is missed. Cases: docs/resilience.md, docs/one-way.md."
        },
        footer = {"", "  ./chatterbox resilience --cases backlog --transports jetstream,kafka"})
final class Resilience extends CheckoutCommand {

    /** In seconds: one-way messages of a longer phase would have no room for their times. */
    private static final double LONGEST_PHASE = 1800;

    private final Map<String, String> environment;

    @Mixin
    private final TransportsOption transports = new TransportsOption();

    @Option(
            names = "--cases",
            paramLabel = "NAME",
            split = ",",
            description = {
                "Only these cases (default: all of calls). queue: all of one-way messages; backlog: messages pile up;",
                "power, disk-full: the broker's disk loses its power, or all of its space, which needs root."
            })
    private List<String> cases = List.of();

    @Option(
            names = "--phase",
            paramLabel = "TIME",
            description = {
                "How long a cluster's nodes are up, away, and back (default: 60s each);",
                "how long consumers stop, or messages are published before a disk fails (default: 10s)."
            })
    private @Nullable String phase;

    @Mixin
    private final OutOption out = new OutOption();

    @Mixin
    private final PortOffset offset = new PortOffset();

    @Spec
    private @Nullable CommandSpec spec;

    Resilience(Repository repository, Terminal terminal, Map<String, String> environment) {
        super(repository, terminal);
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        Variants variants = repository.variants();
        List<String> chosen =
                variants.choose(transports.names).stream().map(Variant::name).toList();
        List<Scenario> scenarios =
                Scenarios.named(cases, Optional.ofNullable(phase).map(Resilience::time));
        Duration deadline = CallTimeout.of(environment);
        Stack stack = repository.stack(offset.value());
        if (stack.runs()) {
            throw new ProcessException("A stack is running, and this command starts and breaks a separate one. "
                    + "To stop the running one: %s. Or choose other ports: --port-offset N"
                            .formatted(stack.command("down")));
        }
        Path folder = out.folder(repository, "resilience");
        ResultFolder.requireNew(folder, ScenarioRun.NAME);
        Optional<String> lack =
                scenarios.stream().anyMatch(Scenario::needsDisks) ? stack.lackForDisks() : Optional.empty();
        if (lack.isPresent()) {
            terminal.error(lack.get());
            return ExitCode.NEGATIVE;
        }
        ChildEnvironment.sentences(environment).forEach(terminal::line);
        int network = scenarios.stream().anyMatch(Scenario::needsNetwork) ? 1 : 0;
        try (Testbed testbed =
                Testbed.open(repository, offset.named(), withOneBeside(variants, chosen), network, terminal)) {
            StackFaults faults = new StackFaults(testbed.stack(), Chatterbox.CONTROL, Lifetime.WITH_PARENT);
            ScenarioRun run = new ScenarioRun(
                    new StackUnderTest(testbed, testbed.target(), faults, chosen, deadline, terminal),
                    folder,
                    Chatterbox.typed(spec));
            terminal.line("Resilience of %s; about %s"
                    .formatted(String.join(", ", chosen), Numbers.time(run.seconds(scenarios))));
            return measure(run, scenarios, testbed, folder);
        }
    }

    /** However this ends, the results are kept, and everything that was started is stopped before the program ends. */
    private int measure(ScenarioRun run, List<Scenario> scenarios, Testbed testbed, Path folder) throws IOException {
        Thread runner = Thread.currentThread();
        Runnable interrupt = () -> {
            terminal.line("Interrupted; keeping what was measured.");
            runner.interrupt();
        };
        try (Interruption interruption = new Interruption(interrupt, terminal)) {
            try {
                run.warmUp();
                run.run(scenarios);
            } catch (InterruptedException e) {
                // The person has pressed Ctrl-C.
            } finally {
                Thread.interrupted();
                run.write();
                terminal.line(
                        "%s Also as tables: %s".formatted(run.results().summary(), folder.resolve("resilience.md")));
                testbed.close();
            }
        }
        return run.results().allMet() ? ExitCode.OK : ExitCode.FAILED;
    }

    private static Duration time(String phase) {
        try {
            double seconds = Durations.seconds(phase);
            Workload.require(seconds >= 1 && seconds <= LONGEST_PHASE, "it must be 1s to 30m, but it is '%s'", phase);
            return Duration.ofMillis(Math.round(1000 * seconds));
        } catch (WorkloadException e) {
            throw new UsageException("--phase: " + e.getMessage());
        }
    }

    /** If only one variant is tested, adds a default variant, which shows whether faults also affect other variants. */
    private static List<String> withOneBeside(Variants variants, List<String> chosen) {
        Stream<String> others = variants.byDefault().stream().map(Variant::name).filter(name -> !chosen.contains(name));
        return Stream.concat(chosen.stream(), others.limit(chosen.size() == 1 ? 1 : 0))
                .toList();
    }
}
