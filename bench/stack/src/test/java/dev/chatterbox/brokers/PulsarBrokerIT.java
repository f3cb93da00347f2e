package dev.chatterbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test has its own tag, because it fetches 252 MB. */
@Tag("pulsar")
class PulsarBrokerIT {

    /** For an answer of a broker that starts beside other work. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final PulsarBroker pulsar = new PulsarBroker();

    /** This is one test, because each start of the broker takes seconds. */
    @Test
    void keepsItsTopicsInAFolderOfAnyNameAfterAKillAndLeavesNothing(@TempDir Path directory) throws IOException {
        Map<String, Integer> ports = freePorts();
        try (RunningBroker broker = RunningBroker.start(pulsar, ports, directory.resolve("a b; ü %20"))) {
            assertThat(broker.port()).isEqualTo(ports.get("client"));
            String topic = "/admin/v2/persistent/public/default/greetings";
            // There is no wait here: a broker that is said to be started serves clients.
            HttpRequest put = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get("admin") + topic))
                    .PUT(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(LocalHttp.send(HttpClient.newHttpClient(), put, HttpResponse.BodyHandlers.discarding(), PATIENCE)
                            .statusCode())
                    .isEqualTo(204);
            ChildProcess first = broker.process();
            assertThat(broker.version()).isEqualTo("4.2.4");

            broker.kill();
            assertThat(first.isAlive()).isFalse();
            broker.restart();

            assertThat(LocalHttp.get(ports.get("admin"), topic + "/stats", PATIENCE)
                            .status())
                    .isEqualTo(200);
            broker.close();
            assertThat(broker.processes()).noneMatch(ChildProcess::isAlive);
            assertThat(ports.values())
                    .allSatisfy(port -> assertThat(Ports.owner(port)).isEmpty());
        }
    }

    @Test
    void saysWhatItsLogSaysWhenAPortIsTaken(@TempDir Path directory) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Map<String, Integer> ports = freePorts();
            ports.put("client", socket.getLocalPort());

            assertThatThrownBy(() -> RunningBroker.start(pulsar, ports, directory))
                    .isInstanceOf(ProcessException.class)
                    .hasMessageContaining("pulsar ended while it was starting")
                    .hasMessageContaining("ddress already in use");
        }
    }

    private Map<String, Integer> freePorts() {
        Map<String, Integer> ports = new HashMap<>(pulsar.ports(1).get(0));
        ports.replaceAll((role, port) -> Ports.free(1).get(0));
        return ports;
    }
}
