package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.DirectClientContract;
import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.TestRequests;
import dev.chatterbox.http.HttpPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

@Tag("long")
class RestStockSquareClientIT extends DirectClientContract {

    RestStockSquareClientIT() {
        super(RestContract.wiring("http"));
    }

    @Override
    protected String variant() {
        return "rest-stock";
    }

    @Override
    protected DirectPeer peer(int port) {
        return new HttpPeer(port, false);
    }

    @Test
    void carriesAsManyCallsAsItSaysAndNoMore() {
        DirectPeer peer = open(peer());
        SquareClient client = ready(client());
        Flux.range(1, client.maxInFlight() + 10)
                .flatMap(number -> client.square(TestRequests.of(number, PATIENCE)), Integer.MAX_VALUE)
                .subscribe(reply -> {}, error -> {});
        peer.next(client.maxInFlight());
        assertThat(peer.waiting()).isZero();
        assertThat(peer.unanswered()).isEqualTo(client.maxInFlight());
    }
}
