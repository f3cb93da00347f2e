package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A deployment behind a proxy that lets nobody in without authorization. */
class KnownTransportsTests {

    private static final byte[] TRANSPORTS = """
            [{"name":"nats","state":"up"},{"name":"rest","state":"down"}]""".getBytes(StandardCharsets.UTF_8);

    private final HttpServer proxy;
    private final String url;

    KnownTransportsTests() throws IOException {
        proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        url = "http://127.0.0.1:" + proxy.getAddress().getPort();
        proxy.createContext("/transports", exchange -> {
            boolean known = "Basic abc".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] body = known ? TRANSPORTS : "{}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(known ? 200 : 401, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    @BeforeEach
    void start() {
        proxy.start();
    }

    @AfterEach
    void stop() {
        proxy.stop(0);
    }

    @Test
    void namesThoseThatAreUp() {
        assertThat(KnownTransports.up(url, "Basic abc")).containsExactly("nats");
    }

    @Test
    void saysWhatTheAnswerWas() {
        assertThatThrownBy(() -> KnownTransports.up(url, ""))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("its answer has the status 401");
    }
}
