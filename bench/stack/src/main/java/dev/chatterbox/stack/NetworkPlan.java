package dev.chatterbox.stack;

import dev.chatterbox.processes.Ports;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The network of a stack: a port of its own for each link, by which clients reach what lies behind it.
 *
 * @param port where it is told what to do
 * @param distanceMillis the round-trip time that it begins with
 * @param listening its port by the link's
 */
public record NetworkPlan(int port, int distanceMillis, Map<Integer, Integer> listening, List<PlannedLink> links) {

    /** Of a stack whose processes connect to each other directly. */
    static final NetworkPlan NONE = new NetworkPlan(0, 0, Map.of(), List.of());

    /** On free ports. */
    static NetworkPlan of(List<PlannedLink> links, int distanceMillis) {
        Iterator<Integer> free = Ports.free(links.size() + 1).iterator();
        Map<Integer, Integer> listening = new LinkedHashMap<>();
        links.forEach(link -> listening.put(link.port(), free.next()));
        return new NetworkPlan(free.next(), distanceMillis, listening, links);
    }

    /** Where it was before. */
    static NetworkPlan of(List<PlannedLink> links, StackState.NetworkPorts before) {
        return new NetworkPlan(before.port(), before.distanceMillis(), before.listening(), links);
    }

    StackState.NetworkPorts state() {
        return new StackState.NetworkPorts(port, distanceMillis, listening);
    }

    boolean isThere() {
        return port > 0;
    }

    /** The port by which clients reach another one: itself where no network lies before it. */
    int before(int port) {
        return listening.getOrDefault(port, port);
    }

    /** The same by role. */
    Map<String, Integer> before(Map<String, Integer> ports) {
        Map<String, Integer> before = new LinkedHashMap<>();
        ports.forEach((role, port) -> before.put(role, before(port)));
        return before;
    }
}
