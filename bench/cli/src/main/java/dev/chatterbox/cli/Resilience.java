package dev.chatterbox.cli;

import dev.chatterbox.comparison.Preset;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.resilience.QueueCases;
import dev.chatterbox.resilience.ResiliencePlan;
import dev.chatterbox.resilience.ResilienceResults;
import dev.chatterbox.resilience.ResilienceRun;
import dev.chatterbox.resilience.ResilienceTables;
import dev.chatterbox.resilience.StackUnderTest;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.testbed.Target;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

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

    @Spec
    private @Nullable CommandSpec spec;

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
        Rows rows = repository.rows();
        List<String> chosen =
                rows.choose(transports.names).stream().map(Row::name).toList();
        ResiliencePlan plan = new ResiliencePlan(chosen, cases, time("--phase", phase), CallTimeout.of(environment));
        try (Testbed testbed = own.open(repository, withOneBeside(rows, chosen), 1, terminal)) {
            return run(plan, testbed);
        }
    }

    private static Duration time(String option, String value) {
        try {
            return Duration.ofMillis(Math.round(1000 * Preset.seconds(value)));
        } catch (WorkloadException e) {
            throw new UsageException("%s: %s".formatted(option, e.getMessage()));
        }
    }

    /** If only one row is tested, adds a default row, which shows whether faults also affect other rows. */
    private static List<String> withOneBeside(Rows rows, List<String> chosen) {
        Stream<String> others = rows.byDefault().stream().map(Row::name).filter(name -> !chosen.contains(name));
        return Stream.concat(chosen.stream(), others.limit(chosen.size() == 1 ? 1 : 0))
                .toList();
    }

    private int run(ResiliencePlan plan, Testbed testbed) throws IOException {
        StackFaults faults = new StackFaults(testbed.stack(), Chatterbox.CONTROL, Lifetime.WITH_PARENT);
        Target target = testbed.target();
        ResilienceRun run = new ResilienceRun(new StackUnderTest(testbed, target, faults, plan, terminal));
        QueueCases queues = new QueueCases(testbed, target, faults, plan, terminal);
        terminal.line("Resilience of %s; about %s"
                .formatted(String.join(", ", plan.rows()), Measurements.readable(run.seconds() + queues.seconds())));
        Thread runner = Thread.currentThread();
        try (Interruption interruption = new Interruption(() -> interrupt(runner), terminal)) {
            try {
                run.run();
                queues.run();
            } catch (InterruptedException e) {
                // The person has pressed Ctrl-C.
            } finally {
                // In any case the results are kept, and everything that was started is stopped.
                Thread.interrupted();
                write(run.results(Measurements.command(spec), queues));
                testbed.close();
            }
        }
        return run.results("", queues).allMet() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void interrupt(Thread runner) {
        terminal.line("Interrupted; keeping what was measured.");
        runner.interrupt();
    }

    private void write(ResilienceResults results) throws IOException {
        Path folder = own.folder(repository, "resilience");
        String json = JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(results);
        Files.writeString(folder.resolve("resilience.json"), json);
        Files.writeString(folder.resolve("resilience.md"), ResilienceTables.markdown(results));
        terminal.line("%s Also as tables: %s".formatted(results.summary(), folder.resolve("resilience.md")));
    }
}
