package dev.chatterbox.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests with a network that has two links of one variant, one of which may refuse requests. */
class LinkFaultsTests {

    private static final String PROXIES = """
            {"first":{"name":"first","listen":"127.0.0.1:11","upstream":"127.0.0.1:1"},\
            "second":{"name":"second","listen":"127.0.0.1:12","upstream":"127.0.0.1:2"},\
            "other":{"name":"other","listen":"127.0.0.1:13","upstream":"127.0.0.1:3"}}""";

    private final List<String> changes = new ArrayList<>();
    private HttpServer server;
    private LinkFaults links;
    private volatile String broken = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/proxies", this::answer);
        server.start();
        List<NetworkLink> all =
                List.of(link("first", 1, "variant"), link("second", 2, "variant"), link("other", 3, "else"));
        links = new LinkFaults(new Toxiproxy(1, server.getAddress().getPort(), all), "variant");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static NetworkLink link(String name, int port, String variant) {
        return new NetworkLink(name, port + 10, port, Optional.empty(), Set.of(variant));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String link = path.substring(path.lastIndexOf('/') + 1);
            if (!exchange.getRequestMethod().equals("GET")) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                changes.add(link + " " + body.contains("true"));
            }
            byte[] bytes = PROXIES.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(link.equals(broken) ? 500 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Test
    void aLinkThatWasCutIsJoinedAlthoughTheNextOneCouldNotBeCut() {
        broken = "second";
        assertThatThrownBy(links::cut).isInstanceOf(ProcessException.class);
        assertThat(changes).containsExactly("first false", "second false");
        changes.clear();
        broken = "";

        links.repair();

        assertThat(changes).containsExactly("first true", "second true");
        links.repair();
        assertThat(changes).as("what is whole is left alone").hasSize(2);
    }

    @Test
    void aLinkThatCannotBeJoinedDoesNotKeepTheNextOneCut() {
        links.cut();
        changes.clear();
        broken = "first";

        assertThatThrownBy(links::repair).isInstanceOf(ProcessException.class).hasMessageContaining("500");
        assertThat(changes).containsExactly("first true", "second true");
        changes.clear();
        broken = "";
        links.repair();
        assertThat(changes).containsExactly("first true");
    }
}
