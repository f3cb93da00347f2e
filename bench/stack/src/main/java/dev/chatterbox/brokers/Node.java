package dev.chatterbox.brokers;

import dev.chatterbox.processes.Loopback;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A broker's process that can be started: the only one, or a node of a cluster.
 *
 * @param number of the node, from 1
 * @param ports the ports of every node by role, in the order of their numbers; only one if the broker is no cluster
 * @param advertisedPort the port that a broker announces to its clients, if they reach it through a network and not at
 *     its own port; some brokers announce none
 * @param directory holds {@code <name>/}, the node's configuration and data, and {@code logs/<name>.log}; created if
 *     absent. A second start on the same directory finds the first one's data. All nodes of a cluster have the same one
 * @param javaFlags for the JVM of a broker that is a Java program, in addition to the broker's own, as tests have them
 */
public record Node(
        Broker broker,
        int number,
        List<Map<String, Integer>> ports,
        OptionalInt advertisedPort,
        Path directory,
        List<String> javaFlags) {

    public Node {
        ports = List.copyOf(ports);
        Objects.checkIndex(number - 1, ports.size());
        directory = directory.toAbsolutePath();
    }

    public boolean isOfCluster() {
        return ports.size() > 1;
    }

    /** The ports of this node, by role. */
    public Map<String, Integer> own() {
        return ports.get(number - 1);
    }

    public int port(String role) {
        return Objects.requireNonNull(own().get(role), role);
    }

    /** The addresses of all nodes, in the order of their numbers: each {@code 127.0.0.1:} and the port of the role. */
    List<String> addresses(String role) {
        return addresses(ports, role);
    }

    static List<String> addresses(List<Map<String, Integer>> nodes, String role) {
        return nodes.stream()
                .map(ports -> Loopback.authority(Objects.requireNonNull(ports.get(role), role)))
                .toList();
    }

    /** The name of the process, as {@code kafka}, or {@code kafka-2} for the second node of a cluster. */
    public String name() {
        return isOfCluster() ? broker.name() + "-" + number : broker.name();
    }

    Path home() {
        return directory.resolve(name());
    }
}
