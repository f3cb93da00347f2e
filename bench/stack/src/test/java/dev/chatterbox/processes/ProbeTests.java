package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProbeTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Probe PROBE = new Probe("wie\u00ff\n", "gut\0");

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void findsTheAnswerBehindWhatElseIsSaid() throws IOException {
        CompletableFuture<byte[]> request = answers("hello, I am g", "u", "t\0 and more");

        assertThat(PROBE.roundTripNanos(server.getLocalPort(), PATIENCE)).isPositive();
        assertThat(request.join()).isEqualTo(new byte[] {'w', 'i', 'e', (byte) 0xff, '\n'});
    }

    @Test
    void isNotAnsweredBySomethingElse() {
        answers("bad");

        assertThatThrownBy(() -> PROBE.roundTripNanos(server.getLocalPort(), PATIENCE))
                .isInstanceOf(EOFException.class);
    }

    @Test
    void isNotAnsweredByAPortThatOnlyListens() {
        assertThatThrownBy(() -> PROBE.roundTripNanos(server.getLocalPort(), Duration.ofMillis(50)))
                .isInstanceOf(SocketTimeoutException.class);
    }

    /** Sends these parts after it has received a request, and closes the connection. */
    private CompletableFuture<byte[]> answers(String... parts) {
        return CompletableFuture.supplyAsync(() -> {
            try (Socket client = server.accept()) {
                client.setTcpNoDelay(true);
                byte[] request = client.getInputStream().readNBytes(5);
                for (String part : parts) {
                    client.getOutputStream().write(part.getBytes(StandardCharsets.ISO_8859_1));
                }
                return request;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }
}
