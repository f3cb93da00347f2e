package dev.chatterbox.brokers;

import dev.chatterbox.processes.Probe;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Apache Kafka: one KRaft node, broker and controller at once, in a JVM of its own. Its jars come from Maven's local
 * repository, where the build of this module put them.
 *
 * <p>Roles: {@code client}, {@code controller}.
 */
public final class KafkaBroker extends JavaBroker.Built {

    /**
     * Which versions of requests it knows: 10 bytes that follow, ApiVersions (18), version 0, a correlation id, which
     * comes back, and no client id.
     */
    private static final Probe PROBE = new Probe("\0\0\0\n\0\22\0\0ASKS\u00ff\u00ff", "ASKS");

    private final Map<String, String> configuration;

    public KafkaBroker() {
        this(Map.of());
    }

    /** @param configuration further properties of the broker, or others in place of its own */
    public KafkaBroker(Map<String, String> configuration) {
        super(
                "kafka",
                "Kafka",
                KafkaMain.class,
                "kafka.classpath",
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
    Map<String, String> files(Launch launch) throws IOException {
        String client = "127.0.0.1:" + launch.port("client");
        String controller = "127.0.0.1:" + launch.port("controller");
        Properties properties = new Properties();
        properties.load(new StringReader(resource("kafka.properties")));
        properties.put("listeners", "PLAINTEXT://%s,CONTROLLER://%s".formatted(client, controller));
        // Clients connect to what is advertised, whatever they connected to first. The controller serves no client.
        launch.advertisedPort()
                .ifPresent(port -> properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port));
        // Static voters: a dynamic quorum would keep the controller's port in its data, and ports may move.
        properties.put("controller.quorum.voters", "1@" + controller);
        // Relative to the working directory: Kafka would split a path at its commas.
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
                // Kafka's own choice (kafka-run-class.sh).
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

    /** A broker that listens but is not registered with its controller yet names no broker in its metadata. */
    @Override
    boolean isReady(Launch launch) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", launch.port("client")), 1000);
            socket.setSoTimeout(1000);
            DataOutputStream request = new DataOutputStream(socket.getOutputStream());
            request.writeInt(14); // bytes that follow
            request.writeShort(3); // Metadata
            request.writeShort(1); // version
            request.writeInt(0); // correlation id
            request.writeShort(-1); // no client id
            request.writeInt(0); // no topics
            DataInputStream response = new DataInputStream(socket.getInputStream());
            response.readInt(); // bytes that follow
            response.readInt(); // correlation id
            return response.readInt() > 0; // brokers
        }
    }
}
