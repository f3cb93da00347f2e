package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.client.DirectClientContract;
import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.ScriptedPeer.Received;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.test.StepVerifier;

/** What the clients over HTTP have in common: a peer on Reactor Netty, and the real responder. */
abstract class RestContract extends DirectClientContract {

    private static final SimpleMeterRegistry POOL = new SimpleMeterRegistry();

    /** @param role of the responder's port */
    RestContract(String role) {
        super(new Wiring("client.urls", "http://localhost:%d", role, "an error reply: status 500"));
    }

    @BeforeAll
    static void meterThePool() {
        Metrics.addRegistry(POOL);
    }

    @AfterAll
    static void leaveThePool() {
        Metrics.removeRegistry(POOL);
    }

    /** The protocol of the peer. */
    HttpProtocol protocol() {
        return HttpProtocol.HTTP11;
    }

    /** The pool's metric that counts outstanding calls. */
    String inUse() {
        return "connections";
    }

    /** As many connections as there are calls at once, because each connection carries one call. */
    @Override
    protected Map<String, String> settings() {
        return Map.of("client.connections", "256");
    }

    @Override
    protected DirectPeer peer(int port) {
        return new RestPeer(port, protocol());
    }

    @Override
    protected int holds(SquareClient client) {
        int inUse = (int) POOL.find("reactor.netty.connection.provider.active." + inUse()).gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
        return Math.max(inUse, super.holds(client));
    }

    @Test
    void usesItsServersInTurn() {
        peersThatAreUsedInTurn();
    }

    /** A server that accepts no connection has not got the call, so another one may have it. */
    @Test
    void usesTheServersThatAcceptConnections() {
        DirectPeer gone = open(peer(0));
        DirectPeer other = open(peer(0));
        SquareClient client = ready(client(Map.of(), gone.port(), other.port()));
        gone.close();

        List<CompletableFuture<SquareReply>> calls = IntStream.rangeClosed(1, 16)
                .mapToObj(number ->
                        client.square(new SquareRequest(number, PATIENCE)).toFuture())
                .toList();

        other.next(16).forEach(Received::right);
        assertThat(calls).allSatisfy(call -> assertThat(call).succeedsWithin(PATIENCE));
    }

    /** The body, longer than any number, is not gathered until the deadline, and its connection is given back. */
    @Test
    void aBodyWithoutAnEndIsAnErrorAtOnce() {
        DisposableServer endless = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .protocol(protocol())
                .route(routes -> routes.get(
                        "/api/square/unary/{number}",
                        (request, response) -> response.header("Content-Type", "application/json")
                                .sendString(Flux.interval(Duration.ofMillis(1)).map(tick -> "9"))))
                .bindNow();
        open(() -> endless.disposeNow(Duration.ofSeconds(1)));
        SquareClient client = ready(client(Map.of(), endless.port()));

        Duration took = StepVerifier.create(client.square(new SquareRequest(3, PATIENCE)))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.ERROR))
                .verify(PATIENCE);

        assertThat(took).isLessThan(Duration.ofSeconds(3));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(holds(client)).isZero());
    }

    /**
     * Any thread may give up a call at any moment: before it has a connection, while it is being sent, or while its
     * reply arrives. Another call may use the connection by then.
     */
    @Test
    void callsThatAreCancelledSpoilNoOthers() {
        SquareClient client = ready(clientOfTheRealResponder());

        Mono<Void> calls = Flux.range(1, 10_000)
                .flatMap(
                        number -> {
                            Mono<SquareReply> call = client.square(new SquareRequest(number, LONG));
                            return number % 2 == 0
                                    ? call
                                    : call.takeUntilOther(Mono.fromRunnable(() -> pause(number % 64 * 20))
                                            .subscribeOn(Schedulers.boundedElastic()));
                        },
                        128)
                .then();

        StepVerifier.create(calls).expectComplete().verify(Duration.ofMinutes(2));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(holds(client)).isZero());
    }

    private static void pause(int micros) {
        LockSupport.parkNanos(micros * 1000L);
    }
}
