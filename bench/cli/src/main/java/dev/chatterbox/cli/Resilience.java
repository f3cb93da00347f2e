package dev.chatterbox.cli;

import dev.chatterbox.comparison.Preset;
import dev.chatterbox.resilience.Scenario;
import dev.chatterbox.resilience.ScenarioRun;
import dev.chatterbox.resilience.Scenarios;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "resilience",
        description = {
            "Break each part of a stack of its own under load whose every answer is checked, and judge what happens.",
            "Exit code 1 also if a criterion is missed. docs/resilience.md lists the cases."
        })
final class Resilience implements Callable<Integer> {

    private final Repository repository;
    private final Terminal terminal;
    private final Map<String, String> environment;

    @Mixin
    private final TransportsOption transports = new TransportsOption();

    @Option(
            names = "--cases",
            paramLabel = "NAME",
            split = ",",
            description = "Only these (default: all but those of queues); queue: those of queues.")
    private List<String> cases = List.of();

    @Option(
            names = "--phase",
            paramLabel = "TIME",
            description = "How long a cluster's nodes are there, away and back, each (default: ${DEFAULT-VALUE}).")
    private String phase = "60s";

    @Mixin
    private final OwnStackOptions own = new OwnStackOptions();

    Resilience(Repository repository, Terminal terminal, Map<String, String> environment) {
        this.repository = repository;
        this.terminal = terminal;
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        Variants variants = repository.variants();
        List<String> chosen =
                variants.choose(transports.names).stream().map(Variant::name).toList();
        List<Scenario> scenarios = Scenarios.named(cases, time("--phase", phase));
        try (Testbed testbed = own.open(repository, withOneBeside(variants, chosen), 1, terminal)) {
            ScenarioRun run =
                    new ScenarioRun(OwnStackOptions.stack(testbed, chosen, CallTimeout.of(environment), terminal));
            terminal.line("Resilience of %s; about %s"
                    .formatted(String.join(", ", chosen), Measurements.readable(run.seconds(scenarios))));
            return own.measure(testbed, run, "resilience", terminal, () -> {
                run.warmUp();
                run.run(scenarios);
            });
        }
    }

    private static Duration time(String option, String value) {
        try {
            return Duration.ofMillis(Math.round(1000 * Preset.seconds(value)));
        } catch (WorkloadException e) {
            throw new UsageException("%s: %s".formatted(option, e.getMessage()));
        }
    }

    /** If only one variant is tested, adds a default variant, which shows whether faults also affect other variants. */
    private static List<String> withOneBeside(Variants variants, List<String> chosen) {
        Stream<String> others = variants.byDefault().stream().map(Variant::name).filter(name -> !chosen.contains(name));
        return Stream.concat(chosen.stream(), others.limit(chosen.size() == 1 ? 1 : 0))
                .toList();
    }
}
