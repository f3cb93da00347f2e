package dev.chatterbox.brokers;

import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Probe;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Apache Pulsar's standalone: broker, BookKeeper and metadata in one JVM. Its 327 jars have 252 MB, so only the Maven
 * profile pulsar fetches them, by the module pulsar-broker.
 *
 * <p>Roles: {@code client}, {@code admin} (HTTP), {@code bookie} (only for the broker itself).
 */
public class PulsarBroker extends JavaBroker {

    private static final String CONFIGURATION = "standalone.conf";
    private static final String LOGGING = "log4j2.xml";

    /** The namespace of all topics without one. A broker creates it last, at the first start in a folder. */
    private static final String NAMESPACE = "/admin/v2/namespaces/public/default";

    /**
     * A client connects: the length of the rest, 13 bytes, and that of the command in it, 9 bytes; the type CONNECT;
     * and a message of 5 bytes, with the client's version, c, and the protocol's, 21.
     */
    private static final Probe PROBE =
            new Probe(Probe.bytes("0000000d 00000009 0802 1205 0a0163 2015"), "Pulsar Server");

    private final boolean synced;

    public PulsarBroker() {
        // Pulsar's default ports are 8080, which is the aggregator's, and 3181.
        this("pulsar", Map.of("client", 6650, "admin", 6651, "bookie", 6652), false);
    }

    /** @param synced whether the bookie syncs its journal before a message counts */
    PulsarBroker(String name, Map<String, Integer> ports, boolean synced) {
        super(name, "Pulsar", PulsarBroker.class, PROBE, ports);
        this.synced = synced;
    }

    @Override
    public Map<String, String> environment(List<Map<String, Integer>> nodes) {
        return Map.of(
                "PULSAR_URL",
                clientAddresses("pulsar://", nodes),
                "PULSAR_ADMIN_URL",
                "http://" + Node.addresses(nodes, "admin").get(0));
    }

    @Override
    public String version(Node node, long pid) throws IOException {
        return LocalHttp.get(node.port("admin"), "/admin/v2/brokers/version").body();
    }

    @Override
    String mainClass() {
        return "org.apache.pulsar.PulsarStandaloneStarter";
    }

    @Override
    String missing() {
        return "Pulsar (252 MB) is not built here: ./chatterbox up --transports pulsar has Maven fetch it, once.";
    }

    @Override
    protected Map<String, String> files(Node node) {
        // It is replaced, because BookKeeper takes the first of two values.
        String settings = resource("pulsar.conf").replace("journalSyncData=false", "journalSyncData=" + synced);
        return Map.of(CONFIGURATION, settings + addresses(node), LOGGING, resource("pulsar-log4j2.xml"));
    }

    @Override
    List<String> flags() {
        return List.of(
                "-Xms256m",
                "-Xmx256m",
                // Messages are in direct memory; half of this is not enough for a backlog.
                "-XX:MaxDirectMemorySize=512m",
                "-XX:+UseG1GC",
                // Pulsar's own script has these: with them, Netty frees direct memory without the garbage collector.
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-Dlog4j2.configurationFile=" + LOGGING,
                "-Dchatterbox.process=%s-broker".formatted(name()));
    }

    @Override
    List<String> arguments(Node node) {
        return List.of(
                "--config",
                CONFIGURATION,
                "--no-functions-worker",
                "--no-stream-storage",
                // This is no folder: Pulsar would make a URL of it, and not every folder name is legal there.
                "--metadata-url",
                "rocksdb:" + DATA + "/metadata",
                "--bookkeeper-dir",
                DATA + "/bookkeeper",
                "--bookkeeper-port",
                Integer.toString(node.port("bookie")));
    }

    @Override
    protected boolean isReady(Node node) throws IOException {
        return super.isReady(node)
                && LocalHttp.get(node.port("admin"), NAMESPACE).status() == 200;
    }

    private static String addresses(Node node) {
        String addresses = """
                bindAddress=127.0.0.1
                advertisedAddress=127.0.0.1
                brokerServicePort=%d
                webServicePort=%d
                listeningInterface=lo
                """.formatted(node.port("client"), node.port("admin"));
        if (node.advertisedPort().isEmpty()) {
            return addresses;
        }
        // Clients connect to this address after they have looked up a topic.
        return addresses + """
                advertisedListeners=network:pulsar://127.0.0.1:%d
                internalListenerName=network
                """.formatted(node.advertisedPort().getAsInt());
    }
}
