package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Says how to start a broker, or a node of a cluster.
 *
 * @param node which node is started, and the ports of all, by role
 * @param directory holds {@code <name>/}, the node's configuration and data, and {@code logs/<name>.log}; created if
 *     absent. A second start on the same directory finds the first one's data. All nodes of a cluster have the same one
 * @param lifetime whether the broker ends with this JVM
 * @param started called with each process as soon as it exists, on the starting thread, before the wait for it to be
 *     ready, to note its pid. The main process has the node's name. If this throws, the process is stopped
 * @param javaFlags for the JVM of a broker that is a Java program, in addition to the broker's own, as tests have them
 * @param advertisedPort the port that a broker announces to its clients, if they reach it through a network and not at
 *     its own port; some brokers announce none
 */
public record Launch(
        Node node,
        Path directory,
        Lifetime lifetime,
        Consumer<ChildProcess> started,
        List<String> javaFlags,
        OptionalInt advertisedPort) {

    public Launch {
        directory = directory.toAbsolutePath();
    }

    int port(String role) {
        return Objects.requireNonNull(node.own().get(role), role);
    }

    /** The addresses of all nodes, in the order of their numbers: each {@code 127.0.0.1:} and the port of the role. */
    Stream<String> addresses(String role) {
        return node.ports().stream().map(ports -> "127.0.0.1:" + ports.get(role));
    }

    /**
     * Starts a process of the node in the node's folder and waits until the check passes.
     *
     * @param name of the process: the node's name, or a name that begins with it, for a process beside the node
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
        return directory.resolve(node.name(broker));
    }
}
