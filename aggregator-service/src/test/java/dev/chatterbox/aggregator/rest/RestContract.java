package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.mock.env.MockEnvironment;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerResponse;

/** What the clients over HTTP have in common: a peer on Reactor Netty, and the real responder. */
abstract class RestContract extends SquareClientContract {

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

    /** As {@link #client()}, of a row of which only the server and the number of connections are other. */
    abstract SquareClient client(Row row, ClientSettings settings);

    /** How many calls are outstanding. */
    abstract int outstanding(SquareClient client);

    /** What the peer speaks. */
    HttpProtocol protocol() {
        return HttpProtocol.HTTP11;
    }

    /** What of the pool is in use while a call is outstanding. */
    String inUse() {
        return "connections";
    }

    /** The role of the responder's port. */
    String port() {
        return "http";
    }

    @Override
    protected SquareClient client() {
        return client(peerPort);
    }

    private SquareClient client(int port) {
        Map<String, String> values = new HashMap<>(settings());
        values.put("client.urls", "http://localhost:" + port);
        Row row = TestRows.with(row(), values).find(row()).orElseThrow();
        return client(row, new ClientSettings(row, new MockEnvironment()));
    }

    /** As many connections as calls at once: each carries one. */
    Map<String, String> settings() {
        return Map.of("client.connections", "256");
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        RealResponder responder = open(RealResponder.start(TestRows.find(row()), Map.of()));
        return client(responder.ports().get(port()));
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client(Ports.free(1).get(0));
    }

    @Override
    protected ScriptedPeer peer() {
        Peer peer = new Peer(protocol());
        peerPort = peer.server.port();
        return peer;
    }

    @Override
    protected int held(SquareClient client) {
        int inUse = (int) POOL.find("reactor.netty.connection.provider.active." + inUse()).gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
        return Math.max(inUse, outstanding(client));
    }

    @Override
    protected boolean repliesCanStray() {
        return false;
    }

    @Override
    protected boolean repliesCanBreakOff() {
        return true;
    }

    @Override
    protected boolean connected(SquareClient client) {
        return true;
    }

    private static final class Peer extends ScriptedPeer {

        private final DisposableServer server;

        Peer(HttpProtocol protocol) {
            server = HttpServer.create()
                    .host("127.0.0.1")
                    .port(0)
                    .protocol(protocol)
                    .http2Settings(settings -> settings.maxConcurrentStreams(1000))
                    .route(routes -> routes.get("/api/square/unary/{number}", (request, response) -> {
                        Sinks.One<Answer> answer = Sinks.one();
                        arrived(new Request(Integer.parseInt(String.valueOf(request.param("number"))), answer));
                        return answer.asMono().flatMap(given -> given.apply(response));
                    }))
                    .bindNow();
        }

        /** Writes a response. */
        private interface Answer extends Function<HttpServerResponse, Mono<Void>> {}

        private record Request(int number, Sinks.One<Answer> answer) implements Received {

            @Override
            public void square(int number, long square) {
                json(Long.toString(square));
            }

            @Override
            public void error(String reason) {
                answer.tryEmitValue(response ->
                        response.status(500).sendString(Mono.just(reason)).then());
            }

            @Override
            public void garbage() {
                json("nine");
            }

            private void json(String body) {
                answer.tryEmitValue(response -> response.header("Content-Type", "application/json")
                        .sendString(Mono.just(body))
                        .then());
            }

            @Override
            public void breakOff(int bytes) {
                answer.tryEmitValue(response -> {
                    response.withConnection(connection -> {
                        if (bytes == 0) {
                            reset(connection.channel());
                        } else {
                            writeAndClose(connection.channel(), bytes);
                        }
                    });
                    return Mono.never();
                });
            }

            /** As the end of a process does it that has not read all. */
            private static void reset(Channel channel) {
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
                channel.close();
            }

            /** Past the server, which does not promise more bytes than it sends. */
            private static void writeAndClose(Channel channel, int bytes) {
                String begun = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
                        + "9".repeat(bytes);
                channel.pipeline()
                        .firstContext()
                        .writeAndFlush(Unpooled.copiedBuffer(begun, StandardCharsets.US_ASCII))
                        .addListener(ChannelFutureListener.CLOSE);
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
