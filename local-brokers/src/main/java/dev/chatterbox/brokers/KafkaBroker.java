package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.ProcessException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Apache Kafka: one KRaft node, broker and controller at once, in a JVM of its own. Its jars come from Maven's local
 * repository, where the build of this module put them.
 *
 * <p>Roles: {@code client}, {@code controller}.
 */
public final class KafkaBroker implements Broker {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final String DATA = "data";

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
        return "Kafka, %d jars from Maven's local repository".formatted(jars().size());
    }

    /** The build got them. */
    @Override
    public void obtain() {
        jars();
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
        List<String> arguments = new ArrayList<>(launch.javaFlags());
        arguments.addAll(List.of(
                "-Xms512m",
                "-Xmx512m",
                // Kafka's own choice (kafka-run-class.sh).
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:InitiatingHeapOccupancyPercent=35",
                "-Djava.awt.headless=true",
                "-Dlog4j2.configurationFile=classpath:dev/chatterbox/brokers/kafka-log4j2.xml",
                "-cp",
                classPath().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                KafkaMain.class.getName(),
                "server.properties",
                DATA));
        try {
            return launch.start(
                    this, JavaCommand.of(arguments), () -> servesClients(launch.port("client")), START_TIMEOUT);
        } catch (ProcessException e) {
            throw new ProcessException(
                    "%s%nIf its data folder is broken, delete it: %s".formatted(e.getMessage(), home.resolve(DATA)), e);
        }
    }

    private static Properties configuration(Launch launch) {
        String client = "127.0.0.1:" + launch.port("client");
        String controller = "127.0.0.1:" + launch.port("controller");
        Properties properties = new Properties();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", "1");
        properties.put("listeners", "PLAINTEXT://%s,CONTROLLER://%s".formatted(client, controller));
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
        List<Path> classPath = new ArrayList<>(List.of(ownLocation()));
        jars().forEach(jar -> classPath.add(Path.of(jar)));
        return classPath;
    }

    private static Path ownLocation() {
        try {
            return Path.of(KafkaMain.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> jars() {
        try (InputStream list = KafkaBroker.class.getResourceAsStream("kafka.classpath")) {
            if (list == null) {
                throw new ProcessException(
                        "The list of Kafka's jars is missing: build local-brokers with Maven, not the IDE alone.");
            }
            List<String> jars = List.of(new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .split(File.pathSeparator));
            for (String jar : jars) {
                if (!Files.isReadable(Path.of(jar))) {
                    throw new ProcessException("Kafka's jar %s is gone: build local-brokers again.".formatted(jar));
                }
            }
            return jars;
        } catch (IOException e) {
            throw new ProcessException("The list of Kafka's jars cannot be read: " + e.getMessage(), e);
        }
    }
}
