package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.aggregator.fanout.FanOutProperties;
import dev.chatterbox.processes.Ports;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

class RestSquareClientIT extends SquareClientContract {

    private static final SimpleMeterRegistry POOL = new SimpleMeterRegistry();

    private int peerPort;

    @BeforeAll
    static void meterThePool() {
        Metrics.addRegistry(POOL);
    }

    @AfterAll
    static void leaveThePool() {
        Metrics.removeRegistry(POOL);
    }

    @Override
    protected SquareClient client() {
        return client(peerPort);
    }

    private static SquareClient client(int port) {
        // As many connections as calls at once: each carries one.
        RestProperties properties =
                new RestProperties(List.of(URI.create("http://localhost:" + port)), 256, Duration.ofSeconds(2));
        FanOutProperties fanOut = new FanOutProperties(10_000, Duration.ofSeconds(5), 256, 2_048, 1_000);
        return new RestSquareClient(properties, fanOut, WebClient.builder());
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        return client(open(RealResponder.start("rest", Map.of())).port());
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client(Ports.free(1).get(0));
    }

    @Override
    protected ScriptedPeer peer() {
        Peer peer = new Peer();
        peerPort = peer.server.port();
        return peer;
    }

    @Override
    protected int held(SquareClient client) {
        return (int) POOL.find("reactor.netty.connection.provider.active.connections").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    @Override
    protected boolean repliesCanStray() {
        return false;
    }

    @Override
    protected boolean connected(SquareClient client) {
        return true;
    }

    private static final class Peer extends ScriptedPeer {

        private final DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .route(routes -> routes.get("/api/square/unary/{number}", (request, response) -> {
                    Sinks.One<String> body = Sinks.one();
                    int number = Integer.parseInt(String.valueOf(request.param("number")));
                    arrived(new Request(number, body));
                    return body.asMono()
                            .flatMap(answer -> answer.startsWith("error")
                                    ? response.status(500)
                                            .sendString(Mono.just(answer))
                                            .then()
                                    : response.header("Content-Type", "application/json")
                                            .sendString(Mono.just(answer))
                                            .then());
                }))
                .bindNow();

        private record Request(int number, Sinks.One<String> body) implements Received {

            @Override
            public void square(int number, long square) {
                body.tryEmitValue(Long.toString(square));
            }

            @Override
            public void error(String reason) {
                body.tryEmitValue("error: " + reason);
            }

            @Override
            public void garbage() {
                body.tryEmitValue("nine");
            }
        }

        @Override
        public void replyForNobody() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            server.disposeNow(Duration.ofSeconds(1));
        }
    }
}
