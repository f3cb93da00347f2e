package dev.chatterbox.brokers;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The place of a process in its broker: the only one, or a node of a cluster.
 *
 * @param number of the node, from 1
 * @param ports the ports of every node by role, in the order of their numbers; only one if the broker is no cluster
 */
public record Node(int number, List<Map<String, Integer>> ports) {

    public Node {
        ports = List.copyOf(ports);
        Objects.checkIndex(number - 1, ports.size());
    }

    public boolean isOfCluster() {
        return ports.size() > 1;
    }

    /** The ports of this node, by role. */
    public Map<String, Integer> own() {
        return ports.get(number - 1);
    }

    /** The name of the process, as {@code kafka}, or {@code kafka-2} for the second node of a cluster. */
    public String name(Broker broker) {
        return isOfCluster() ? broker.name() + "-" + number : broker.name();
    }
}
