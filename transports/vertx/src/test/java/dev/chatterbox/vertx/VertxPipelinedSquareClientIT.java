package dev.chatterbox.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.ScriptedPeer.Received;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.TestRequests;
import dev.chatterbox.http.HttpClientContract;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** The client over HTTP/1.1 that sends calls before earlier ones on the connection are answered. */
@Tag("long")
class VertxPipelinedSquareClientIT extends HttpClientContract {

    VertxPipelinedSquareClientIT() {
        super(VertxSquareClientIT.wiring(), false);
    }

    @Override
    protected String variant() {
        return "rest-vertx-pipelined";
    }

    /** The server does not learn that a call is given up. */
    @Override
    protected int holds(SquareClient client) {
        return (int) meters.get("chatterbox.calls.pending").gauge().value();
    }

    @Test
    void aCallThatIsCancelledEndsNoOther() {
        DirectPeer peer = open(peer());
        SquareClient client = ready(client(Map.of("client.connections", "1"), peer.port()));
        Disposable cancelled = client.square(TestRequests.of(3, LONG)).subscribe();
        CompletableFuture<SquareReply> other =
                client.square(TestRequests.of(4, LONG)).toFuture();
        List<Received> requests = peer.next(2);

        cancelled.dispose();
        requests.get(1).right();
        assertThat(other).isNotDone();
        requests.get(0).right();

        assertThat(other)
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(reply.square(0)).isEqualTo(16));
        assertThat(peer.connections()).isEqualTo(1);
    }

    /** Those behind it would otherwise wait for it, too. */
    @Test
    void aReplyThatDoesNotComeInTimeEndsTheCallsOnItsConnection() {
        DirectPeer peer = open(peer());
        SquareClient client = ready(client(Map.of("client.connections", "1"), peer.port()));
        CompletableFuture<SquareReply> late =
                client.square(TestRequests.of(3, SHORT)).toFuture();
        CompletableFuture<SquareReply> behind =
                client.square(TestRequests.of(4, LONG)).toFuture();

        assertThat(errorOf(late).outcome()).isEqualTo(Outcome.TIMEOUT);
        assertThat(errorOf(behind).outcome()).isEqualTo(Outcome.UNAVAILABLE);
    }
}
