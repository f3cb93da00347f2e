package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.DirectClientContract;
import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.netty.http.HttpProtocol;

@Tag("long")
class RestStockSquareClientIT extends DirectClientContract {

    RestStockSquareClientIT() {
        super(new Wiring("client.urls", "http://localhost:%d", "http", "an error reply: status 500"));
    }

    @Override
    protected String variant() {
        return "rest-stock";
    }

    @Override
    protected DirectPeer peer(int port) {
        return new RestPeer(port, HttpProtocol.HTTP11);
    }

    @Test
    void carriesAsManyCallsAsItSaysAndNoMore() {
        DirectPeer peer = open(peer());
        SquareClient client = ready(client());
        Flux.range(1, client.maxInFlight() + 10)
                .flatMap(number -> client.square(new SquareRequest(number, PATIENCE)), Integer.MAX_VALUE)
                .subscribe(reply -> {}, error -> {});
        peer.next(client.maxInFlight());
        assertThat(peer.waiting()).isZero();
        assertThat(peer.unanswered()).isEqualTo(client.maxInFlight());
    }
}
