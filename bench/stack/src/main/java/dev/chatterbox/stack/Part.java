package dev.chatterbox.stack;

import dev.chatterbox.brokers.Node;
import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.network.NetworkPlan;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Loopback;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Platform;
import dev.chatterbox.processes.programs.PythonEnvironment;
import dev.chatterbox.variants.ResponderProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A process that a stack starts: one of a service, of a broker or of the network.
 *
 * @param name of the process
 * @param group the name that it has in common with the other processes of the same service or of the same cluster
 * @param ports the ports where it listens, by role
 */
public record Part(String name, String group, Map<String, Integer> ports, Start start) {

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);

    /** What is started. */
    public sealed interface Start {}

    public record BrokerNode(Node node) implements Start {}

    public record Network(NetworkPlan plan, List<NetworkLink> links) implements Start {}

    /** @param environment its environment variables */
    public record Service(Paths paths, Map<String, String> environment, Program program) implements Start {}

    /**
     * Paths of a process, on the port that {@link #port} is.
     *
     * @param health answers 200 once the process serves; empty if accepting connections says that
     * @param metrics of its metrics; empty if it has none
     * @param faults by which its faults are set; empty if it has none
     */
    public record Paths(String health, String metrics, String faults) {

        static final Paths NONE = new Paths("", "", "");
    }

    /** The program of a service. */
    public sealed interface Program {}

    /**
     * A Java program of this project.
     *
     * @param pattern of the runnable jar, below the folder of its module
     * @param java the oldest release of Java that can run it
     * @param heap in megabytes
     * @param arguments the end of its command line
     */
    public record Jar(Path module, String pattern, int java, int heap, List<String> arguments) implements Program {

        private void require() {
            int release = Runtime.version().feature();
            if (release < java) {
                throw new ProcessException("it needs Java %d, and this is Java %d.".formatted(java, release));
            }
        }
    }

    /** A responder in Python. */
    public record Python(ResponderProgram responder) implements Program {}

    /** @param folder the working directory of the command */
    public record Command(Path folder, List<String> command) implements Program {

        private void require() {
            String program = command.get(0);
            boolean isThere = program.contains("/")
                    ? folder.resolve(program).toFile().canExecute()
                    : Platform.current().onPath(program).isPresent();
            if (!isThere) {
                throw new ProcessException("it is started by %s, which is not on this machine.".formatted(program));
            }
        }
    }

    Member.Kind kind() {
        if (start instanceof BrokerNode) {
            return Member.Kind.BROKER;
        }
        return start instanceof Network ? Member.Kind.NETWORK : Member.Kind.SERVICE;
    }

    boolean isService() {
        return start instanceof Service;
    }

    /** The port that says whether the part is well: that of HTTP, or that for a broker's clients. */
    public int port() {
        return Objects.requireNonNull(ports.get(start instanceof BrokerNode ? "client" : ResponderProgram.HTTP));
    }

    Paths paths() {
        if (start instanceof Service service) {
            return service.paths;
        }
        return start instanceof Network ? new Paths(Toxiproxy.HEALTH, "", "") : Paths.NONE;
    }

    /** The node of a broker, which this part must be. */
    Node node() {
        return ((BrokerNode) start).node;
    }

    /** Its program, if it is of a kind. */
    private <T extends Program> Optional<T> program(Class<T> kind) {
        return start instanceof Service service && kind.isInstance(service.program)
                ? Optional.of(kind.cast(service.program))
                : Optional.empty();
    }

    /** The environment of its program in Python; empty if it has no such program. */
    private Optional<PythonEnvironment> python() {
        return program(Python.class).map(python -> PythonEnvironment.of(python.responder.folder()));
    }

    Optional<Jar> jar() {
        return program(Jar.class);
    }

    /**
     * The name of the broker or of the language that runs it and is a program of another project; empty if none does.
     */
    public String runsOn() {
        return start instanceof BrokerNode broker
                ? broker.node.broker().name()
                : python().map(environment -> "Python").orElse("");
    }

    /**
     * One line for people that says where that program comes from.
     *
     * @throws ProcessException this machine cannot have it; the message says how to get it
     */
    public String origin() {
        return start instanceof BrokerNode broker
                ? broker.node.broker().origin()
                : python().map(PythonEnvironment::origin).orElse("");
    }

    /**
     * Gets the programs of other projects that the part needs. That may take minutes the first time.
     *
     * @param log takes a line for people that says where the program comes from
     * @throws ProcessException this machine cannot have such a program
     */
    void obtain(Consumer<String> log) {
        try {
            if (!runsOn().isEmpty()) {
                log.accept("  %s: %s".formatted(name, origin()));
            }
            if (start instanceof BrokerNode broker) {
                broker.node.broker().obtain();
            }
            python().ifPresent(PythonEnvironment::obtain);
            program(Command.class).ifPresent(Command::require);
            program(Jar.class).ifPresent(Jar::require);
        } catch (ProcessException e) {
            throw isService() ? new ProcessException("%s: %s".formatted(name, e.line()), e) : e;
        }
    }

    /** The record of a process that was started for the part: the part itself, or a process beside a broker. */
    Member member(ChildProcess process) {
        Paths paths = paths();
        return new Member(kind(), process.name(), process.pid(), process.start(), port(), paths.health, paths.faults);
    }

    /**
     * Starts the part and waits until it is ready.
     *
     * @param started called with each process as soon as it exists, before the wait for it to be ready
     * @throws ProcessException it did not start
     */
    void start(Stack stack, Lifetime lifetime, Consumer<ChildProcess> started) {
        if (start instanceof BrokerNode broker) {
            broker.node.broker().start(broker.node, lifetime, started);
        } else if (start instanceof Network network) {
            Toxiproxy.start(network.plan, network.links, stack.log(name), lifetime, started);
        } else if (start instanceof Service service) {
            ProcessBuilder builder = command(service.program, stack);
            builder.environment().putAll(service.environment);
            builder.environment().put("SERVER_ADDRESS", Loopback.HOST);
            builder.environment().put("CHATTERBOX_FAULTS_TOKEN", stack.state().faultsToken());
            ChildProcess process = ChildProcess.start(name, builder, stack.log(name), lifetime);
            started.accept(process);
            process.awaitReady(() -> LocalHttp.get(port(), service.paths.health).status() == 200, READY_TIMEOUT);
        }
    }

    /** The command line has a mark that no other process has, whatever its program is called. */
    private ProcessBuilder command(Program program, Stack stack) {
        String mark = "chatterbox.process=" + name;
        List<String> command = new ArrayList<>();
        Path folder = stack.directory();
        if (program instanceof Jar java) {
            // Java would choose the serial collector on a small machine.
            String heap = java.heap + "m";
            String copy = stack.jar(group).toString();
            command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC", "-D" + mark, "-jar", copy));
            command.addAll(java.arguments);
            command = JavaCommand.of(command);
        } else if (program instanceof Python python) {
            command.addAll(python.responder.pythonCommand(python().orElseThrow().obtain()));
            command.add("--" + mark);
            folder = python.responder.folder();
        } else if (program instanceof Command other) {
            command.addAll(other.command);
            command.add("--" + mark);
            folder = other.folder;
        }
        return ChildEnvironment.builder(command).directory(folder.toFile());
    }
}
