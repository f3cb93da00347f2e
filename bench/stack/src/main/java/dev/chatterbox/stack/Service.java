package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Platform;
import dev.chatterbox.processes.programs.PythonEnvironment;
import dev.chatterbox.rows.ResponderProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A service that a stack starts.
 *
 * @param program the name that all its processes share
 * @param replica which of these processes it is, from 1
 * @param ports the ports where it listens, by role
 * @param health the path, on the port {@link ResponderProgram#HTTP}, that answers 200 once it serves
 * @param metrics the path, on the same port, of its metrics; empty if it has none
 * @param faults the path, on the same port, by which its faults are set; empty if it has none
 * @param environment its environment variables
 * @param arguments the end of its command line
 */
public record Service(
        String program,
        int replica,
        Map<String, Integer> ports,
        String health,
        String metrics,
        String faults,
        Start start,
        Map<String, String> environment,
        List<String> arguments)
        implements Part {

    /** How a service is started. */
    sealed interface Start {

        /**
         * @param pattern of the runnable jar, below the folder of its module
         * @param heap in megabytes
         */
        record Jar(Path module, String pattern, int heap) implements Start {}

        /** @param responder a responder in Python */
        record Python(ResponderProgram responder) implements Start {

            PythonEnvironment environment() {
                return PythonEnvironment.of(responder.folder());
            }
        }

        /** @param folder the working directory of the command */
        record Command(Path folder, List<String> command) implements Start {

            boolean isThere() {
                String program = command.get(0);
                return program.contains("/")
                        ? folder.resolve(program).toFile().canExecute()
                        : Platform.current().onPath(program).isPresent();
            }
        }
    }

    @Override
    public Member.Kind kind() {
        return Member.Kind.SERVICE;
    }

    /** The name of the process: the first one has the name that all share. */
    @Override
    public String name() {
        return replica == 1 ? program : program + "-" + replica;
    }

    public int port() {
        return ports.getOrDefault(ResponderProgram.HTTP, 0);
    }

    @Override
    public void obtain(Consumer<String> log) {
        if (start instanceof Start.Python python) {
            try {
                log.accept(python.environment().origin());
                python.environment().obtain();
            } catch (ProcessException e) {
                throw new ProcessException("%s: %s".formatted(name(), e.line()), e);
            }
        } else if (start instanceof Start.Command command && !command.isThere()) {
            throw new ProcessException("%s is started by %s, which is not on this machine."
                    .formatted(name(), command.command().get(0)));
        }
    }

    /** The runnable jar of the service; empty if the service is no Java program of this project. */
    Optional<Path> jar(Repository repository) {
        return start instanceof Start.Jar jar
                ? Optional.of(repository.jar(jar.module(), jar.pattern()))
                : Optional.empty();
    }

    /**
     * Starts the service. Its command line has a mark that no other process has, whatever its program is called.
     *
     * @param jars the copies of jars that Java services run, by the name that its processes share
     * @param faultsToken the token that opens {@code /faults} of responders
     */
    ChildProcess start(Stack stack, Map<String, Path> jars, String faultsToken, Lifetime lifetime) {
        String mark = "chatterbox.process=" + name();
        List<String> command = new ArrayList<>();
        Path in = stack.directory();
        if (start instanceof Start.Jar java) {
            // Java would choose the serial collector on a small machine.
            String heap = java.heap() + "m";
            command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC", "-D" + mark));
            command.addAll(List.of("-jar", String.valueOf(jars.get(program))));
            command = JavaCommand.of(command);
        } else if (start instanceof Start.Python python) {
            command.addAll(python.responder().pythonCommand(python.environment().obtain()));
            command.add("--" + mark);
            in = python.responder().folder();
        } else if (start instanceof Start.Command other) {
            command.addAll(other.command());
            command.add("--" + mark);
            in = other.folder();
        }
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(in.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("SERVER_ADDRESS", "127.0.0.1");
        builder.environment().put("CHATTERBOX_FAULTS_TOKEN", faultsToken);
        return ChildProcess.start(name(), builder, stack.log(name()), lifetime);
    }

    @Override
    public Member member(ChildProcess process) {
        return Member.of(kind(), process, port(), health, faults);
    }
}
