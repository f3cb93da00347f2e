package dev.chatterbox.resilience.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RudeClientsTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String ARRAY = "[{\"1\":1},{\"2\":4},{\"3\":9}]";

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
        server.setExecutor(executor);
        server.createContext("/right", exchange -> answer(exchange, "{\"2\":4}\n", "{\"3\":9}\n", "{\"1\":1}\n"));
        server.createContext("/twice", exchange -> answer(exchange, "{\"2\":4}\n", "{\"2\":4}\n", "{\"1\":1}\n"));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        executor.shutdownNow();
    }

    /** Sends lines in chunks, as the aggregator sends them, or an array with its length. */
    private void answer(HttpExchange exchange, String... lines) throws IOException {
        requests.incrementAndGet();
        try (exchange) {
            if (exchange.getRequestHeaders().getFirst("Accept").equals("application/x-ndjson")) {
                exchange.sendResponseHeaders(200, 0);
                for (String line : lines) {
                    exchange.getResponseBody().write(line.getBytes(StandardCharsets.US_ASCII));
                    exchange.getResponseBody().flush();
                }
            } else {
                exchange.sendResponseHeaders(200, ARRAY.length());
                exchange.getResponseBody().write(ARRAY.getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    @Test
    void readsArraysAndLinesLateAndChecksThem() throws Exception {
        assertThat(RudeClients.readSlowly(port(), "right", 3, 4, Duration.ofMillis(50)))
                .isEqualTo(4);
        assertThat(RudeClients.readSlowly(port(), "twice", 3, 4, Duration.ofMillis(50)))
                .as("the lines are not each there once")
                .isEqualTo(2);
    }

    @Test
    void asksAndGoes() throws Exception {
        RudeClients.disconnect(port(), "right", 3, 100);

        await().until(() -> requests.get() > 0);
    }

    @Test
    void asManyComeAsAreAskedFor() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress())) {
            RudeClients.disconnect(listening.getLocalPort(), "right", 3, 101);

            for (int client = 0; client < 101; client++) {
                listening.accept().close();
            }
            listening.setSoTimeout(100);
            assertThatThrownBy(listening::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    private int port() {
        return server.getAddress().getPort();
    }

    /** As long as a busy machine takes. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }
}
