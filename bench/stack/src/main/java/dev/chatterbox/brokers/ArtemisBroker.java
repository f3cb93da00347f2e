package dev.chatterbox.brokers;

import dev.chatterbox.brokers.artemis.ArtemisMain;
import dev.chatterbox.processes.Loopback;
import dev.chatterbox.processes.Probe;
import java.util.List;
import java.util.Map;

/**
 * Apache Artemis: one node in its own JVM, with its own class path. The module artemis-broker has the main class and
 * the list of jars. The node speaks the core protocol only.
 *
 * <p>Roles: {@code client}.
 */
public final class ArtemisBroker extends JavaBroker {

    /**
     * The greeting of the core protocol and a ping: the length of the rest, 17 bytes, the packet's type, channel 0, and
     * how long the connection lives without another packet, 1000 ms. The reply is a ping.
     */
    private static final Probe PROBE = new Probe(
            "ARTEMIS" + Probe.bytes("00000011 0a 0000000000000000 00000000000003e8"),
            Probe.bytes("0a 0000000000000000"));

    public ArtemisBroker() {
        // The port is that of HornetQ, Artemis' predecessor: the default port 61616 leaves no room for the offset of a
        // second stack.
        super("artemis", "Artemis", ArtemisMain.class, PROBE, Map.of("client", 5445));
    }

    @Override
    public Map<String, String> environment(List<Map<String, Integer>> nodes) {
        return Map.of("ARTEMIS_URL", clientAddresses("tcp://", nodes));
    }

    @Override
    List<String> flags() {
        return List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC", "-Dchatterbox.process=artemis-broker");
    }

    @Override
    List<String> arguments(Node node) {
        return List.of(Loopback.authority(node.port("client")), DATA);
    }
}
