package dev.chatterbox.brokers;

import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Probe;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Apache Kafka: a KRaft node, which is broker and controller, in its own JVM; or several in a cluster. Its jars are in
 * Maven's local repository, where the build of this module puts them.
 *
 * <p>Roles: {@code client}, {@code controller}.
 */
public final class KafkaBroker extends JavaBroker.Built {

    /**
     * Asks for the known versions of requests: the length of the rest, 10 bytes, ApiVersions (18), version 0, a
     * correlation id, which comes back, and no client id.
     */
    private static final Probe PROBE = new Probe("\0\0\0\n\0\22\0\0ASKS\u00ff\u00ff", "ASKS");

    /**
     * Asks for the known brokers, and for no topics: the length of the rest, 14 bytes, Metadata (3), version 1, a
     * correlation id, which comes back, no client id, no topics.
     */
    private static final String WHO_IS_REGISTERED = "\0\0\0\16\0\3\0\1ASKS\u00ff\u00ff\0\0\0\0";

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    /** A line of {@link KafkaLeaders}. */
    private static final Pattern LEADERS = Pattern.compile("^([1-9]) \\{(.*)}$", Pattern.MULTILINE);

    private final Map<String, String> configuration;

    public KafkaBroker() {
        this(Map.of());
    }

    /** @param configuration properties of the broker, which are added to the usual ones or replace them */
    public KafkaBroker(Map<String, String> configuration) {
        super(
                "kafka",
                "Kafka",
                KafkaMain.class,
                PROBE,
                Duration.ofMinutes(2),
                Map.entry("client", 9092),
                Map.entry("controller", 9093));
        this.configuration = configuration;
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
    protected Map<String, String> files(Launch launch) throws IOException {
        Node node = launch.node();
        String client = "127.0.0.1:" + launch.port("client");
        String controller = "127.0.0.1:" + launch.port("controller");
        Properties properties = new Properties();
        properties.load(new StringReader(resource("kafka.properties")));
        properties.put("listeners", "PLAINTEXT://%s,CONTROLLER://%s".formatted(client, controller));
        // Clients connect to the advertised address after the first connection. The controller serves no clients.
        launch.advertisedPort()
                .ifPresent(port -> properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port));
        // The voters are static: a dynamic quorum would keep the controller's port in its data, and ports may move.
        Iterator<Integer> numbers = IntStream.iterate(1, number -> number + 1).iterator();
        properties.put(
                "controller.quorum.voters",
                launch.addresses("controller")
                        .map(address -> numbers.next() + "@" + address)
                        .collect(Collectors.joining(",")));
        properties.put("node.id", Integer.toString(node.number()));
        if (node.isOfCluster()) {
            properties.load(new StringReader(resource("kafka-cluster.properties")
                    .replace("${nodes}", Integer.toString(node.ports().size()))));
        }
        // The folder is relative to the working directory, because Kafka would split a path at its commas.
        properties.put("log.dirs", DATA);
        properties.putAll(configuration);
        StringWriter file = new StringWriter();
        properties.store(file, null);
        return Map.of("server.properties", file.toString());
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
                "-Dlog4j2.configurationFile=classpath:dev/chatterbox/brokers/kafka-log4j2.xml");
    }

    @Override
    List<String> arguments(Launch launch) {
        List<String> arguments = List.of("server.properties", DATA);
        // The nodes of a cluster have no other secret in common than their folder.
        return launch.node().isOfCluster()
                ? Stream.concat(arguments.stream(), Stream.of(launch.directory().toString()))
                        .toList()
                : arguments;
    }

    /**
     * A broker that listens, but is not registered with the controller yet, does not name itself among the known
     * brokers. The timeout is that of one poll, because a broker that is not ready replies at once, too.
     */
    @Override
    protected boolean isReady(Launch launch) throws IOException {
        String itself = bytes(launch.node().number(), 4)
                + bytes("127.0.0.1".length(), 2)
                + "127.0.0.1"
                + bytes(launch.advertisedPort().orElse(launch.port("client")), 4);
        return new Probe(WHO_IS_REGISTERED, itself).roundTripNanos(launch.port("client"), Duration.ofMillis(500)) > 0;
    }

    /** Every node leads some partitions; the one that leads the others is the active controller. */
    @Override
    public Leaders leaders(Launch launch, Map<String, String> address) throws IOException {
        String classPath = classPath().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        String answer = Command.run(
                ANSWER_WITHIN,
                JavaCommand.of(List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-Dlog4j2.configurationFile=classpath:dev/chatterbox/brokers/kafka-log4j2.xml",
                        "-cp",
                        classPath,
                        KafkaLeaders.class.getName(),
                        clientAddresses("", launch.node().ports()))));
        Matcher found = LEADERS.matcher(answer);
        if (!found.find()) {
            throw new IOException("Kafka does not say who leads: " + answer);
        }
        return new Leaders(
                Integer.parseInt(found.group(1)),
                "kafka-%s is the active controller; partitions led by node: %s"
                        .formatted(found.group(1), found.group(2)));
    }

    /** A number in network byte order, each character a byte. */
    private static String bytes(int number, int size) {
        StringBuilder bytes = new StringBuilder();
        for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
            bytes.append((char) (number >> shift & 0xff));
        }
        return bytes.toString();
    }
}
