package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Apache Kafka: one KRaft node, broker and controller at once, in a JVM of its own. Its jars come from Maven's local
 * repository, where the build of this module put them.
 *
 * <p>Roles: {@code client}, {@code controller}.
 */
public final class KafkaBroker implements Broker {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final String DATA = "data";

    /**
     * Which versions of requests it knows: 10 bytes that follow, ApiVersions (18), version 0, a correlation id, which
     * comes back, and no client id.
     */
    private static final Probe PROBE = new Probe("\0\0\0\n\0\22\0\0ASKS\u00ff\u00ff", "ASKS");

    private static final JavaProgram PROGRAM = new JavaProgram("Kafka", "kafka.classpath", KafkaMain.class);

    private final Map<String, String> configuration;

    public KafkaBroker() {
        this(Map.of());
    }

    /** @param configuration further properties of the broker, or others in place of its own */
    public KafkaBroker(Map<String, String> configuration) {
        this.configuration = configuration;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Map<String, Integer> defaultPorts() {
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("client", 9092);
        ports.put("controller", 9093);
        return ports;
    }

    @Override
    public String origin() {
        return PROGRAM.origin();
    }

    /** The build got them. */
    @Override
    public void obtain() {
        PROGRAM.jars();
    }

    @Override
    public Probe probe() {
        return PROBE;
    }

    @Override
    public Map<String, String> environment(Map<String, Integer> ports) {
        return Map.of("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + ports.get("client"));
    }

    @Override
    public RunningBroker start(Launch launch) {
        return new RunningBroker(launch.port("client"), environment(launch.ports()), () -> startProcess(launch));
    }

    private ChildProcess startProcess(Launch launch) {
        Path home = launch.home(this);
        try {
            Files.createDirectories(home);
            try (OutputStream file = Files.newOutputStream(home.resolve("server.properties"))) {
                configuration(launch).store(file, null);
            }
        } catch (IOException e) {
            throw new ProcessException("Kafka's folder cannot be written: " + e, e);
        }
        List<String> flags = new ArrayList<>(launch.javaFlags());
        flags.addAll(List.of(
                "-Xms512m",
                "-Xmx512m",
                // Kafka's own choice (kafka-run-class.sh).
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:InitiatingHeapOccupancyPercent=35",
                "-Djava.awt.headless=true",
                "-Dlog4j2.configurationFile=classpath:dev/chatterbox/brokers/kafka-log4j2.xml"));
        try {
            return launch.start(
                    this,
                    PROGRAM.command(flags, List.of("server.properties", DATA)),
                    () -> servesClients(launch.port("client")),
                    START_TIMEOUT);
        } catch (ProcessException e) {
            throw new ProcessException(
                    "%s%nIf its data folder is broken, delete it: %s".formatted(e.getMessage(), home.resolve(DATA)), e);
        }
    }

    private Properties configuration(Launch launch) {
        String client = "127.0.0.1:" + launch.port("client");
        String controller = "127.0.0.1:" + launch.port("controller");
        Properties properties = new Properties();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", "1");
        properties.put("listeners", "PLAINTEXT://%s,CONTROLLER://%s".formatted(client, controller));
        // Clients connect to what is advertised, whatever they asked first. The controller has nothing to do with them.
        launch.advertisedPort()
                .ifPresent(port -> properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port));
        properties.put("controller.listener.names", "CONTROLLER");
        // Static voters: a dynamic quorum would keep the controller's port in its data, and ports may move.
        properties.put("controller.quorum.voters", "1@" + controller);
        // Relative to the working directory: Kafka would split a path at its commas.
        properties.put("log.dirs", DATA);
        properties.put("auto.create.topics.enable", "false");
        // One node holds everything once, and there is nobody to share the load of the internal topics with.
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            properties.put(topic + ".num.partitions", "1");
            properties.put(topic + ".replication.factor", "1");
            if (!topic.equals("offsets.topic")) {
                properties.put(topic + ".min.isr", "1");
            }
        }
        properties.put("group.initial.rebalance.delay.ms", "0");
        // A broker serves clients from the second heartbeat on; Kafka's 2 s are most of the start of a single node.
        properties.put("broker.heartbeat.interval.ms", "500");
        // Bounds the disk that a partition takes, for topics that do not set their own retention.
        properties.put("log.segment.bytes", Integer.toString(64 << 20));
        properties.put("log.retention.bytes", Integer.toString(256 << 20));
        properties.put("log.retention.check.interval.ms", "30000");
        properties.putAll(configuration);
        return properties;
    }

    /** Asks for metadata, for a broker that listens but is not registered with its controller yet names no broker. */
    private static boolean servesClients(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
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

    @Override
    public List<Path> classPath() {
        return PROGRAM.classPath();
    }
}
