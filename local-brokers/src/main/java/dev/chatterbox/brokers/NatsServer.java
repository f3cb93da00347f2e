package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * nats-server with its defaults, found or fetched as {@link #origin} says.
 *
 * <p>Roles: {@code client}, {@code monitor} (HTTP).
 */
public final class NatsServer implements Broker {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final byte[] GREETING = "INFO ".getBytes(StandardCharsets.US_ASCII);

    private final NatsServerBinary binary = NatsServerBinary.ofThisMachine();

    @Override
    public String name() {
        return "nats";
    }

    @Override
    public Map<String, Integer> defaultPorts() {
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("client", 4222);
        ports.put("monitor", 8222);
        return ports;
    }

    @Override
    public String origin() {
        return binary.origin();
    }

    @Override
    public RunningBroker start(Launch launch) {
        int port = launch.port("client");
        return new RunningBroker(port, Map.of("NATS_SERVER", "nats://127.0.0.1:" + port), () -> startProcess(launch));
    }

    private ChildProcess startProcess(Launch launch) {
        Path home = launch.home(this);
        try {
            Files.createDirectories(home);
            Files.writeString(
                    home.resolve("nats-server.conf"), """
                    listen: "127.0.0.1:%d"
                    http: "127.0.0.1:%d"
                    """.formatted(launch.port("client"), launch.port("monitor")));
        } catch (IOException e) {
            throw new ProcessException("nats-server's folder cannot be written: " + e, e);
        }
        return launch.start(
                this,
                List.of(binary.obtain().toString(), "--config", "nats-server.conf"),
                () -> greets(launch.port("client")),
                START_TIMEOUT);
    }

    /** A NATS server speaks first: {@code INFO {…}}. */
    private static boolean greets(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
            socket.setSoTimeout(1000);
            return Arrays.equals(socket.getInputStream().readNBytes(GREETING.length), GREETING);
        }
    }
}
