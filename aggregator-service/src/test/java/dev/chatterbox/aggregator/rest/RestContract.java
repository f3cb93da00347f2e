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
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.mock.env.MockEnvironment;
import reactor.netty.http.HttpProtocol;

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
        RestPeer peer = new RestPeer(protocol());
        peerPort = peer.port();
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
}
