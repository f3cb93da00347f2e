package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Says how to start a broker.
 *
 * @param ports the port of each role in {@link Broker#defaultPorts()}
 * @param directory holds {@code <name>/}, the broker's configuration and data, and {@code logs/<name>.log}; created if
 *     absent. A second start on the same directory finds the first one's data
 * @param lifetime whether the broker ends with this JVM
 * @param started called with each process as soon as it exists, on the starting thread, before the wait for it to be
 *     ready, to note its pid. The main process has the broker's name. If this throws, the process is stopped
 * @param javaFlags for the JVM of a broker that is a Java program, in addition to the broker's own
 * @param advertisedPort the port that a broker announces to its clients, if they reach it through a network and not at
 *     its own port; some brokers announce none
 */
public record Launch(
        Map<String, Integer> ports,
        Path directory,
        Lifetime lifetime,
        Consumer<ChildProcess> started,
        List<String> javaFlags,
        OptionalInt advertisedPort) {

    public Launch {
        ports = Map.copyOf(ports);
        directory = directory.toAbsolutePath();
    }

    public Launch(Map<String, Integer> ports, Path directory, Lifetime lifetime) {
        this(ports, directory, lifetime, process -> {}, List.of(), OptionalInt.empty());
    }

    int port(String role) {
        return Objects.requireNonNull(ports.get(role), role);
    }

    /**
     * Starts a process of the broker in the broker's folder and waits until the check passes.
     *
     * @param name of the process: the broker's name, or a name that begins with it, for a process beside the broker
     */
    ChildProcess start(Broker broker, String name, ProcessBuilder builder, ChildProcess.Check ready, Duration timeout) {
        ChildProcess process = ChildProcess.start(
                name,
                builder.directory(home(broker).toFile()),
                directory.resolve("logs").resolve(name + ".log"),
                lifetime);
        try {
            started.accept(process);
        } catch (RuntimeException e) {
            process.stop(Duration.ZERO);
            throw e;
        }
        process.awaitReady(ready, timeout);
        return process;
    }

    Path home(Broker broker) {
        return directory.resolve(broker.name());
    }
}
