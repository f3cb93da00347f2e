package dev.chatterbox.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.TestRequests;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.test.util.ReflectionTestUtils;
import reactor.core.publisher.Flux;

/** The client with one connection to each square service, made before it is needed. */
@Tag("kit")
class RSocketSquareClientIT extends RSocketContract {

    @Override
    protected String variant() {
        return "rsocket";
    }

    @Override
    protected boolean connected(SquareClient client) {
        return connections(client) == ((String) client.settings().get("targets")).split(",").length;
    }

    private static int connections(SquareClient client) {
        return ((Connections) ReflectionTestUtils.getField(client, "connections"))
                .all()
                .size();
    }

    @Test
    void usesItsTargetsInTurnAndTheOneThatIsLeftForAllCalls() {
        List<DirectPeer> peers = peersThatAreUsedInTurn();
        assertThat(peers).allSatisfy(peer -> assertThat(peer.connections()).isEqualTo(1));
        SquareClient client =
                ready(client(Map.of(), peers.get(0).port(), peers.get(1).port()));

        peers.get(0).close();
        await().atMost(PATIENCE).until(() -> connections(client) == 1);
        Flux.range(1, 2)
                .flatMap(number -> client.square(TestRequests.of(number, PATIENCE)))
                .subscribe(reply -> {}, error -> {});
        peers.get(1).next(2);
    }

    /** A machine that is gone closes nothing. */
    @Test
    void aConnectionWhoseOtherSideIsSilentIsMadeAnew() {
        RSocketPeer peer = (RSocketPeer) open(peer());
        SquareClient client =
                ready(client(Map.of("client.keep-alive", "100ms", "client.max-lifetime", "500ms"), peer.port()));
        CompletableFuture<SquareReply> call =
                client.square(TestRequests.of(3, LONG)).toFuture();
        peer.next();
        assertThat(peer.connections()).isEqualTo(1);

        peer.fallSilent();

        CallException error = errorOf(call);
        assertThat(error.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(error).hasMessageContaining("keep-alive");
        await().atMost(PATIENCE).until(() -> peer.connections() > 1);
    }
}
