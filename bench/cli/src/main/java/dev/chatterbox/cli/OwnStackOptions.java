package dev.chatterbox.cli;

import dev.chatterbox.control.StackFaults;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.resilience.ScenarioResults;
import dev.chatterbox.resilience.ScenarioRun;
import dev.chatterbox.resilience.StackUnderTest;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Testbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** The options of a command that starts a stack of its own, because it breaks what it tests. */
final class OwnStackOptions {

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder for the results (default: .chatterbox/results/<time>-${COMMAND-NAME}).")
    private @Nullable Path out;

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            description = "Ports that are all moved by N (default: 0, or another if those are taken).")
    private @Nullable Integer offset;

    /** The command that has these options. */
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    /**
     * @param distanceMillis more than 0 for a network between the processes
     * @throws StackException a stack runs on these ports
     */
    Testbed open(Repository repository, List<String> variants, int distanceMillis, Steps steps) throws IOException {
        Stack stack = repository.stack(offset == null ? 0 : offset);
        if (stack.runs()) {
            throw new StackException("A stack runs, and this command breaks the one that it tests: it starts its own. "
                    + "To stop that one: %s. Or choose other ports: --port-offset N".formatted(stack.command("down")));
        }
        return Testbed.open(repository, Optional.ofNullable(offset), variants, distanceMillis, steps);
    }

    /** @param chosen names of the variants that are tested */
    static StackUnderTest stack(Testbed testbed, List<String> chosen, Duration deadline, Steps steps) {
        StackFaults faults = new StackFaults(testbed.stack(), Chatterbox.CONTROL, Lifetime.WITH_PARENT);
        return new StackUnderTest(testbed, testbed.target(), faults, chosen, deadline, steps);
    }

    /** What is done on the stack, until a person interrupts it. */
    interface Work {
        void run() throws InterruptedException;
    }

    /**
     * Has scenarios carried out. However that ends, their results are kept, and everything that was started is stopped.
     *
     * @param name of the files with the results
     * @return the exit code
     */
    int measure(Testbed testbed, ScenarioRun run, String name, Terminal terminal, Work work) throws IOException {
        Thread runner = Thread.currentThread();
        Runnable interrupt = () -> {
            terminal.line("Interrupted; keeping what was measured.");
            runner.interrupt();
        };
        CommandSpec command = Objects.requireNonNull(spec);
        try (Interruption interruption = new Interruption(interrupt, terminal)) {
            try {
                work.run();
            } catch (InterruptedException e) {
                // The person has pressed Ctrl-C.
            } finally {
                Thread.interrupted();
                ScenarioResults results = run.results(Measurements.command(command));
                Path folder = Files.createDirectories(
                        Measurements.folder(testbed.stack().repository(), out, command.name()));
                Files.writeString(
                        folder.resolve(name + ".json"),
                        JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(results));
                Path tables = Files.writeString(folder.resolve(name + ".md"), results.markdown());
                terminal.line("%s Also as tables: %s".formatted(results.summary(), tables));
                testbed.close();
            }
        }
        return run.results("").allMet() ? ExitCode.OK : ExitCode.FAILED;
    }
}
