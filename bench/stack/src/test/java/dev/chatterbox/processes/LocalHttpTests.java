package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LocalHttpTests {

    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext("/whole", exchange -> answer(exchange, 5));
        server.createContext("/stalling", exchange -> answer(exchange, 6));
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void readsAnAnswer() throws IOException {
        assertThat(LocalHttp.get(port(), "/whole")).isEqualTo(new LocalHttp.Answer(200, "whole"));
    }

    /** Headers and the beginning of the body come at once, and the rest never. */
    @Test
    void waitsNoLongerThanItsTimeoutForABodyThatStalls() {
        assertThatThrownBy(() -> LocalHttp.get(port(), "/stalling", Duration.ofMillis(300)))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessageContaining("/stalling was not answered in PT0.3S");
    }

    @Test
    void failsAtOnceWhereNobodyListens() {
        int port = Ports.free(1).get(0);

        assertThatThrownBy(() -> LocalHttp.get(port, "/")).isInstanceOf(ConnectException.class);
    }

    /** Sends a body of five bytes; the headers may promise more. */
    private static void answer(HttpExchange exchange, int promised) throws IOException {
        exchange.sendResponseHeaders(200, promised);
        exchange.getResponseBody().write("whole".getBytes(StandardCharsets.US_ASCII));
        exchange.getResponseBody().flush();
    }

    private int port() {
        return server.getAddress().getPort();
    }
}
