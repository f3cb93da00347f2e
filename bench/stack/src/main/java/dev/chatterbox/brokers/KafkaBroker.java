package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.Loopback;
import dev.chatterbox.processes.Probe;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Apache Kafka: a KRaft node, which is broker and controller, in its own JVM; or several in a cluster. Its jars are in
 * Maven's local repository, where the build of this module puts them.
 *
 * <p>Roles: {@code client}, {@code controller}.
 */
public class KafkaBroker extends JavaBroker {

    /**
     * Asks for the known versions of requests: the length of the rest, 10 bytes, ApiVersions (18), version 0, a
     * correlation id, which comes back, and no client id.
     */
    private static final Probe PROBE =
            new Probe(Probe.bytes("0000000a 0012 0000") + "ASKS" + Probe.bytes("ffff"), "ASKS");

    /**
     * Asks for the known brokers, and for no topics: the length of the rest, 14 bytes, Metadata (3), version 1, a
     * correlation id, which comes back, no client id, no topics.
     */
    private static final String WHO_IS_REGISTERED =
            Probe.bytes("0000000e 0003 0001") + "ASKS" + Probe.bytes("ffff 00000000");

    private static final String CONFIGURATION = "server.properties";

    private static final String LOGGING =
            "-Dlog4j2.configurationFile=classpath:dev/chatterbox/brokers/kafka-log4j2.xml";

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    /** A line of {@link KafkaLeaders}. */
    private static final Pattern LEADERS = Pattern.compile("^([1-9]) \\{(.*)}$", Pattern.MULTILINE);

    private final String settings;

    public KafkaBroker() {
        this("kafka", Map.of("client", 9092, "controller", 9093), "");
    }

    /** @param settings in addition to those of all these brokers */
    KafkaBroker(String name, Map<String, Integer> ports, String settings) {
        super(name, "Kafka", KafkaMain.class, PROBE, ports);
        this.settings = settings;
    }

    @Override
    public Map<String, String> environment(List<Map<String, Integer>> nodes) {
        return Map.of("KAFKA_BOOTSTRAP_SERVERS", clientAddresses("", nodes));
    }

    @Override
    public boolean clusters() {
        return true;
    }

    @Override
    protected Map<String, String> files(Node node) {
        // Of a setting that is there twice, the last one holds.
        String cluster = node.isOfCluster() ? resource("kafka-cluster.properties", node) : "";
        // The voters are static: a dynamic quorum would keep the controller's port in its data, and ports may move.
        List<String> controllers = node.addresses("controller");
        String voters = IntStream.rangeClosed(1, controllers.size())
                .mapToObj(number -> "%d@%s".formatted(number, controllers.get(number - 1)))
                .collect(Collectors.joining(",", "controller.quorum.voters=", "\n"));
        // Clients connect to the advertised address after the first connection. The controller serves no clients.
        String advertised = node.advertisedPort().isPresent()
                ? "advertised.listeners=PLAINTEXT://%s%n"
                        .formatted(Loopback.authority(node.advertisedPort().getAsInt()))
                : "";
        return Map.of(CONFIGURATION, resource("kafka.properties", node) + settings + cluster + voters + advertised);
    }

    @Override
    List<String> flags() {
        return List.of(
                "-Xms512m",
                "-Xmx512m",
                // These are Kafka's own flags (kafka-run-class.sh).
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:InitiatingHeapOccupancyPercent=35",
                "-Djava.awt.headless=true",
                LOGGING);
    }

    @Override
    List<String> arguments(Node node) {
        // The nodes of a cluster have no other secret in common than their folder.
        return node.isOfCluster()
                ? List.of(CONFIGURATION, DATA, node.directory().toString())
                : List.of(CONFIGURATION, DATA);
    }

    /**
     * A broker that listens, but is not registered with the controller yet, does not name itself among the known
     * brokers. The timeout is that of one poll, because a broker that is not ready replies at once, too.
     */
    @Override
    protected boolean isReady(Node node) throws IOException {
        String itself = Probe.bytes("%08x %04x".formatted(node.number(), Loopback.HOST.length()))
                + Loopback.HOST
                + Probe.bytes("%08x".formatted(node.advertisedPort().orElse(node.port("client"))));
        return new Probe(WHO_IS_REGISTERED, itself).roundTripNanos(node.port("client"), Duration.ofMillis(500)) > 0;
    }

    /** Every node leads some partitions; the one that leads the others is the active controller. */
    @Override
    public Leaders leaders(Node node, Map<String, String> address) throws IOException {
        List<String> flags = List.of("-XX:TieredStopAtLevel=1", LOGGING);
        String nodes = clientAddresses("", node.ports());
        String answer = Command.run(
                ANSWER_WITHIN, ChildEnvironment.builder(java(flags, KafkaLeaders.class.getName(), List.of(nodes))));
        Matcher found = find(LEADERS, answer, "Kafka does not say who leads: " + answer);
        return new Leaders(
                Integer.parseInt(found.group(1)),
                "kafka-%s is the active controller; partitions led by node: %s"
                        .formatted(found.group(1), found.group(2)));
    }
}
