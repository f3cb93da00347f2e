package dev.chatterbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Platform;
import dev.chatterbox.processes.programs.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests where the server's program comes from. */
class RabbitMqTests {

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();

    @Test
    void prefersTheOneThatTheUserChose() throws IOException {
        program("packaged/rabbitmq-server");
        Path chosen = program("mine/sbin/rabbitmq-server");
        environment.put("RABBITMQ_SERVER_BIN", chosen.toString());

        assertThat(server().obtain()).isEqualTo(chosen);
    }

    @Test
    void passesOverTheWrapperOnThePathWhereItKnowsThePackage() throws IOException {
        Path onPath = program("bin/rabbitmq-server");
        environment.put("PATH", onPath.getParent().toString());
        assertThat(server().obtain()).isEqualTo(onPath);

        Path inner = program("packaged/rabbitmq-server");
        assertThat(server().obtain()).isEqualTo(inner);
    }

    @Test
    void saysHowToGetIt() {
        assertThatThrownBy(() -> server().origin())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("rabbitmq-server is not on this platform")
                .hasMessageContaining("RABBITMQ_SERVER_BIN")
                .hasMessageContaining("apt install rabbitmq-server")
                .hasMessageContaining("apt install rabbitmq-server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rabbit-3.10.8", "rabbit-3.13.7.ez"})
    void refusesWhatIsTooOldAlsoBehindALink(String plugin) throws IOException {
        Path program = program("home/sbin/rabbitmq-server");
        Files.createDirectories(directory.resolve("home/plugins").resolve(plugin));
        Path link = Files.createSymbolicLink(directory.resolve("linked"), program);

        for (Path path : new Path[] {program, link}) {
            assertThatThrownBy(() -> RabbitMq.requireVersion(path))
                    .isInstanceOf(ProcessException.class)
                    .hasMessageContaining("3.1")
                    .hasMessageContaining("too old");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rabbit-4.0.5", "rabbit-10.1.0", "rabbit_common-3.10.8", "README"})
    void takesWhatIsNewOrDoesNotSay(String plugin) throws IOException {
        Path program = program("home/sbin/rabbitmq-server");
        Files.createDirectories(directory.resolve("home/plugins").resolve(plugin));

        assertThatCode(() -> RabbitMq.requireVersion(program)).doesNotThrowAnyException();
    }

    private Program server() {
        return RabbitMq.server(directory.resolve("packaged").toString()).on(new Platform(environment, "amd64"));
    }

    private Path program(String name) throws IOException {
        Path program = directory.resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    /** The server's first method, Connection.Start, as RabbitMQ sends it, but for the fields that are left out. */
    @Test
    void readsTheVersionsOfTheServerAndOfErlangFromItsFirstMethod() throws Exception {
        String fields = text("platform", "Erlang/OTP 27.3.4") + text("product", "RabbitMQ") + text("version", "4.1.4");
        String frame = "\1\0\0\0\0\1\0\0\n\0\n\0\t\0\0\0\100" + fields + "\0\0\0\5PLAIN\0\0\0\5en_US\u00ce";
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            CompletableFuture<Void> server = CompletableFuture.runAsync(() -> {
                try (Socket client = listener.accept()) {
                    client.getInputStream().readNBytes(8);
                    client.getOutputStream().write(frame.getBytes(StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });

            RabbitMq broker = new RabbitMq();
            List<Map<String, Integer>> ports = List.of(Map.of("client", listener.getLocalPort()));
            assertThat(broker.version(new Node(broker, 1, ports, OptionalInt.empty(), directory, List.of()), 1))
                    .isEqualTo("4.1.4, Erlang/OTP 27.3.4");
            assertThat(server).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    private static String text(String name, String text) {
        return (char) name.length() + name + "S\0\0\0" + (char) text.length() + text;
    }
}
