package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.ScriptedPeer.Received;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.TestRequests;
import dev.chatterbox.http.HttpClientContract;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the clients of Reactor Netty have in common: a pool of connections to one server or several. */
abstract class RestContract extends HttpClientContract {

    private static final SimpleMeterRegistry POOL = new SimpleMeterRegistry();

    RestContract(boolean h2c) {
        super(wiring(h2c ? "h2c" : "http"), h2c);
    }

    /** @param role of the responder's port */
    static Wiring wiring(String role) {
        return new Wiring("client.urls", "http://localhost:%d", role, "an error reply: status 500");
    }

    @BeforeAll
    static void meterThePool() {
        Metrics.addRegistry(POOL);
    }

    @AfterAll
    static void leaveThePool() {
        Metrics.removeRegistry(POOL);
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
        // Before the client has a connection to it: a call over one that has just ended would be lost, and not sent
        // again.
        gone.close();
        SquareClient client = ready(client(Map.of(), gone.port(), other.port()));

        List<CompletableFuture<SquareReply>> calls = IntStream.rangeClosed(1, 16)
                .mapToObj(number ->
                        client.square(TestRequests.of(number, PATIENCE)).toFuture())
                .toList();

        other.next(16).forEach(Received::right);
        assertThat(calls).allSatisfy(call -> assertThat(call).succeedsWithin(PATIENCE));
    }
}
