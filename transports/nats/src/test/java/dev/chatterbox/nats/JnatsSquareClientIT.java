package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.client.ScriptedPeer;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.TestRequests;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class JnatsSquareClientIT extends NatsContract {

    @Override
    protected String variant() {
        return "nats-jnats";
    }

    @Override
    protected int holds(SquareClient client) {
        return outstanding(jnats(client));
    }

    @Override
    protected boolean countsStrayReplies() {
        return false;
    }

    /** By default the library's request() cancels a call after 5 to 10 s. */
    @Test
    void waitsForAReplyAsLongAsTheDeadlineAllows() {
        try (ScriptedPeer peer = peer()) {
            CompletableFuture<SquareReply> call =
                    ready(client()).square(TestRequests.of(3, LONG)).toFuture();
            ScriptedPeer.Received request = peer.next();

            await().atMost(PATIENCE).during(Duration.ofSeconds(11)).until(() -> !call.isDone());
            request.right();

            assertThat(call).succeedsWithin(PATIENCE);
        }
    }
}
