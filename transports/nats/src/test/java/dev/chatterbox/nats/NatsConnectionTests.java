package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.connection.RefusedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NatsConnectionTests {

    private static final String INFO = "INFO {\"server_id\":\"x\",\"version\":\"2.15.2\",\"max_payload\":1048576}\r\n";

    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));

    NatsConnectionTests() throws IOException {}

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void anErrorThatLeftTheConnectionOpenIsNotTheReasonOfItsEnd() throws Exception {
        try (NatsConnection<?> connection = endedAfter("Permissions Violation for Publish to \"somewhere\"")) {
            assertThatCode(connection::awaitEnd).doesNotThrowAnyException();
        }
    }

    @Test
    void anErrorThatEndsTheConnectionIsTheReason() throws Exception {
        try (NatsConnection<?> connection = endedAfter("User Authentication Expired")) {
            assertThatThrownBy(connection::awaitEnd)
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("User Authentication Expired");
        }
    }

    /** A connection whose server says that, and closes it. */
    private NatsConnection<?> endedAfter(String error) throws Exception {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        Thread serving = new Thread(() -> serve(error, opened));
        serving.setDaemon(true);
        serving.start();
        NatsAccess access = new NatsAccess("nats://127.0.0.1:" + server.getLocalPort(), "");
        NatsConnection<?> connection =
                NatsConnection.open(access, options -> options, Duration.ZERO, nats -> "nothing else");
        opened.complete(null);
        return connection;
    }

    /** Answers the pings of connecting, and those of the flush after it. */
    private void serve(String error, CompletableFuture<Void> opened) {
        try (Socket socket = server.accept()) {
            send(socket, INFO);
            BufferedReader client =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (int pings = 0; pings < 2; ) {
                if ("PING".equals(client.readLine())) {
                    send(socket, "PONG\r\n");
                    pings++;
                }
            }
            opened.join();
            send(socket, "-ERR '" + error + "'\r\n");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
