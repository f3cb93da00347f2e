package dev.chatterbox.aggregator.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.rows.Row;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;
import reactor.core.publisher.Flux;
import reactor.netty.http.HttpProtocol;

@Tag("long")
class RestStockSquareClientIT extends SquareClientContract {

    private @Nullable RestPeer peer;

    @Override
    protected String row() {
        return "rest-stock";
    }

    @Override
    protected SquareClient client() {
        return client(peer.port());
    }

    private static SquareClient client(int port) {
        Row row = TestRows.with("rest", Map.of("client.urls", "http://localhost:" + port))
                .find("rest-stock")
                .orElseThrow();
        return new RestStockSquareClient(row, new ClientSettings(row, new MockEnvironment()));
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        RealResponder responder = open(RealResponder.start(TestRows.find("rest-stock"), Map.of()));
        return client(responder.ports().get("http"));
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client(Ports.free(1).get(0));
    }

    @Override
    protected ScriptedPeer peer() {
        peer = new RestPeer(HttpProtocol.HTTP11);
        return peer;
    }

    /** The library's own pool tells nothing unless it is metered, so the peer does. */
    @Override
    protected int held(SquareClient client) {
        return peer == null ? 0 : peer.unanswered();
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

    @Test
    void carriesAsManyCallsAsItSaysAndNoMore() {
        RestPeer peer = open(new RestPeer(HttpProtocol.HTTP11));
        SquareClient client = ready(client(peer.port()));
        Flux.range(1, client.maxInFlight() + 10)
                .flatMap(number -> client.square(new SquareRequest(number, PATIENCE)), Integer.MAX_VALUE)
                .subscribe(reply -> {}, error -> {});
        peer.next(client.maxInFlight());
        assertThat(peer.waiting()).isZero();
        assertThat(peer.unanswered()).isEqualTo(client.maxInFlight());
    }
}
