package dev.chatterbox.brokers;

import dev.chatterbox.processes.Probe;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Apache Kafka: one KRaft node, which is broker and controller, in its own JVM. Its jars are in Maven's local
 * repository, where the build of this module puts them.
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
     * correlation id, which comes back, no client id, no topics. A broker that listens, but is not registered with its
     * controller yet, names no broker; a registered one names itself.
     */
    private static final Probe REGISTERED = new Probe("\0\0\0\16\0\3\0\1ASKS\u00ff\u00ff\0\0\0\0", "ASKS\0\0\0\1");

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
    public Map<String, String> environment(Map<String, Integer> ports) {
        return Map.of("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + ports.get("client"));
    }

    @Override
    protected Map<String, String> files(Launch launch) throws IOException {
        String client = "127.0.0.1:" + launch.port("client");
        String controller = "127.0.0.1:" + launch.port("controller");
        Properties properties = new Properties();
        properties.load(new StringReader(resource("kafka.properties")));
        properties.put("listeners", "PLAINTEXT://%s,CONTROLLER://%s".formatted(client, controller));
        // Clients connect to the advertised address after the first connection. The controller serves no clients.
        launch.advertisedPort()
                .ifPresent(port -> properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port));
        // The voters are static: a dynamic quorum would keep the controller's port in its data, and ports may move.
        properties.put("controller.quorum.voters", "1@" + controller);
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
        return List.of("server.properties", DATA);
    }

    /** The timeout is that of one poll, because a broker that is not ready replies at once, too. */
    @Override
    protected boolean isReady(Launch launch) throws IOException {
        return REGISTERED.roundTripNanos(launch.port("client"), Duration.ofMillis(500)) > 0;
    }
}
