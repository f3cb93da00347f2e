package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Connection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NatsRequestClientTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String INFO = "INFO {\"server_id\":\"x\",\"version\":\"2.15.2\",\"max_payload\":1048576}\r\n";

    private interface Maker {
        Connection make(Connection opened) throws IOException;
    }

    /** The client stops while the server delays the connection, which nothing else would close afterwards. */
    @Test
    void closesAConnectionThatIsMadeAfterTheStop() throws IOException {
        isClosed(connection -> connection, true);
    }

    @Test
    void closesAConnectionThatIsOfNoUse() throws IOException {
        isClosed(
                connection -> {
                    throw new IOException("no JetStream here");
                },
                false);
    }

    private static void isClosed(Maker maker, boolean stopped) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            NatsAccess access = new NatsAccess("nats://127.0.0.1:" + server.getLocalPort(), "");
            NatsRequestClient client =
                    new NatsRequestClient(new NatsEndpoint("nats-stock", access, "subject", "service"), null) {
                        @Override
                        Connection make(Connection opened) throws IOException {
                            return maker.make(opened);
                        }
                    };
            client.start();
            server.setSoTimeout((int) PATIENCE.toMillis());
            try (Socket socket = server.accept()) {
                if (stopped) {
                    client.stop();
                }
                socket.setSoTimeout((int) PATIENCE.toMillis());
                letInAndAwaitItsEnd(socket);
            } catch (SocketException closed) {
                // The client has closed it before it has read all.
            }
            assertThat(client.open()).isNull();
        }
    }

    /** Throws where the client keeps the connection. */
    private static void letInAndAwaitItsEnd(Socket socket) throws IOException {
        socket.getOutputStream().write(INFO.getBytes(StandardCharsets.US_ASCII));
        BufferedReader client =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        for (String line = client.readLine(); line != null; line = client.readLine()) {
            if (line.equals("PING")) {
                socket.getOutputStream().write("PONG\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        }
    }
}
