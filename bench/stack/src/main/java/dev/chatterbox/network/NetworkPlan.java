package dev.chatterbox.network;

import dev.chatterbox.processes.Ports;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ports of a network. The network has a port of its own for each upstream, and clients reach the upstream by it.
 *
 * @param port of Toxiproxy's own API; 0 if there is no network
 * @param distanceMillis the round-trip time that it begins with
 * @param listening the network's port for each upstream, by the port of the upstream
 */
public record NetworkPlan(int port, int distanceMillis, Map<Integer, Integer> listening) {

    /** The plan of a stack whose processes connect to each other directly. */
    public static final NetworkPlan NONE = new NetworkPlan(0, 0, Map.of());

    /** A network that listens on free ports. */
    public static NetworkPlan of(List<NetworkLink> links, int distanceMillis) {
        Iterator<Integer> free = Ports.free(links.size() + 1).iterator();
        Map<Integer, Integer> listening = new LinkedHashMap<>();
        links.forEach(link -> listening.put(link.behind(), free.next()));
        return new NetworkPlan(free.next(), distanceMillis, listening);
    }

    public NetworkPlan withDistance(int millis) {
        return new NetworkPlan(port, millis, listening);
    }

    public boolean isPresent() {
        return port > 0;
    }

    /** The port by which clients reach a port: the port itself if no network lies before it. */
    public int before(int port) {
        return listening.getOrDefault(port, port);
    }

    /** The ports by which clients reach some ports, by role. */
    public Map<String, Integer> before(Map<String, Integer> ports) {
        Map<String, Integer> before = new LinkedHashMap<>(ports);
        before.replaceAll((role, port) -> before(port));
        return before;
    }
}
