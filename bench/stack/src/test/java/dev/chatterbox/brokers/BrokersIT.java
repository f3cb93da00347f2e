package dev.chatterbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what every broker must do. */
@Tag("long")
class BrokersIT {

    private static final List<Broker> ALL =
            List.of(new NatsServer(), new KafkaBroker(), new ArtemisBroker(), new RabbitMq());

    /** The brokers that this machine can have. */
    static List<Broker> brokers() {
        return ALL.stream()
                .filter(broker -> Unavailable.why(broker::origin).isEmpty())
                .toList();
    }

    @BeforeAll
    static void saysWhatIsNotTested() {
        ALL.forEach(broker -> Unavailable.why(broker::origin)
                .ifPresent(reason -> System.out.printf("Skipped: the tests of %s. %s%n", broker.name(), reason)));
    }

    /** This is one test, because each start of a broker takes seconds. */
    @ParameterizedTest
    @MethodSource("brokers")
    void twoRunSideBySideComeBackAfterAKillAndLeaveNothing(Broker definition) throws IOException {
        try (RunningBroker one = RunningBroker.start(definition);
                RunningBroker other = RunningBroker.start(definition)) {
            assertThat(one.port()).isNotEqualTo(other.port());
            assertThat(one.process().isAlive()).isTrue();
            assertThat(one.environment().values()).allMatch(value -> value.endsWith("127.0.0.1:" + one.port()));
            ChildProcess first = one.process();
            assertThat(one.version()).matches("\\d+\\.\\d+\\.\\d+(, Erlang/OTP \\d+.*)?");

            one.kill();
            assertThat(first.isAlive()).isFalse();
            assertThat(Ports.owner(one.port())).isEmpty();
            assertThat(other.process().isAlive()).isTrue();
            one.restart();

            assertThat(one.process().isAlive()).isTrue();
            assertThat(one.process().pid()).isNotEqualTo(first.pid());
            try (Socket client = new Socket("127.0.0.1", one.port())) {
                assertThat(client.isConnected()).isTrue();
            }
            Path directory = one.process().log().getParent().getParent();

            one.close();

            assertThat(one.processes()).noneMatch(ChildProcess::isAlive);
            assertThat(Ports.owner(one.port())).isEmpty();
            assertThat(directory).doesNotExist();
            one.close();
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void saysWhatItsLogSaysWhenAPortIsTaken(Broker definition, @TempDir Path directory) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Map<String, Integer> ports = new HashMap<>(definition.ports(1).get(0));
            ports.replaceAll((role, port) -> Ports.free(1).get(0));
            ports.put("client", socket.getLocalPort());

            assertThatThrownBy(() -> RunningBroker.start(definition, ports, directory))
                    .isInstanceOf(ProcessException.class)
                    .hasMessageContaining(definition.name() + " ended while it was starting")
                    .hasMessageContaining("ddress already in use");
        }
    }

    @Test
    void endWithAParentThatIsKilled() throws IOException {
        Process parent = new ProcessBuilder(
                        JavaCommand.of(List.of("-cp", System.getProperty("java.class.path"), Parent.class.getName())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Long> pids;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(parent.getInputStream()))) {
            pids = lines.lines()
                    .takeWhile(line -> !line.isEmpty())
                    .map(Long::valueOf)
                    .toList();
            assertThat(pids)
                    .hasSizeGreaterThanOrEqualTo(brokers().size())
                    .allMatch(pid -> ProcessHandle.of(pid).isPresent());
        } finally {
            parent.destroyForcibly();
        }

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() ->
                        assertThat(pids).noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
    }

    /** Starts all brokers, and prints the pids of their processes, a line for each, and an empty line. */
    static final class Parent {
        public static void main(String[] args) throws InterruptedException {
            brokers()
                    .forEach(broker -> RunningBroker.start(broker)
                            .processes()
                            .forEach(process -> System.out.println(process.pid())));
            System.out.println();
            Thread.currentThread().join();
        }
    }
}
