package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.BrokerClientContract;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.ScriptedPeer;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.TestRequests;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

/** What the clients of the NATS responder have in common. */
abstract class NatsContract extends BrokerClientContract {

    /** The subject of the peer. */
    private static final String SUBJECT = "nats.square.kit";

    private static final String BATCHES = SUBJECT + ".batch";

    NatsContract() {
        super(new Wiring(
                "NATS_SERVER",
                "client.server",
                "nats://localhost:%d",
                // A variant shares its transport's responder, unless it names another process.
                Map.of("responder.name", "kit", "address.subject", SUBJECT, "address.queue-group", "kit")));
    }

    @Override
    protected ScriptedPeer peer(String url) {
        return new NatsPeer(
                url,
                (peer, connection) -> connection
                        .createDispatcher(request ->
                                peer.arrived(request, request.getSubject().equals(BATCHES), request.getReplyTo(), null))
                        .subscribe(SUBJECT, "kit")
                        .subscribe(BATCHES, "kit"));
    }

    /** The connection of a client by jnats' own {@code request()}. */
    static @Nullable Connection jnats(SquareClient client) {
        return ((NatsRequestClient) client).open();
    }

    static boolean isConnected(@Nullable Connection connection) {
        return connection != null && connection.getStatus() == Connection.Status.CONNECTED;
    }

    /** jnats' own count of calls: it includes a cancelled call until its next sweep, within five seconds. */
    static int outstanding(@Nullable Connection connection) {
        return connection == null ? 0 : (int) connection.getStatistics().getOutstandingRequests();
    }

    @Test
    void isUnavailableAtOnceWhenNoResponderListens() {
        SquareClient client = ready(client());
        Duration took = StepVerifier.create(client.square(TestRequests.of(3, Duration.ofSeconds(30))))
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE);
                    assertThat(error).hasMessageContaining("no responder listens on the subject " + SUBJECT);
                })
                .verify(PATIENCE);
        assertThat(took).isLessThan(AT_ONCE);
        StepVerifier.create(client.check())
                .expectErrorMessage("no responder listens on the subject " + SUBJECT)
                .verify(PATIENCE);
    }

    /** The acknowledgement of somebody's stream comes to the inbox of the request. */
    @Test
    void namesTheStreamThatHasItsSubject() throws Exception {
        try (Connection connection = Nats.connect(url())) {
            JetStreamManagement management = connection.jetStreamManagement();
            management.addStream(StreamConfiguration.builder()
                    .name("ORDERS")
                    .subjects(SUBJECT)
                    .storageType(StorageType.Memory)
                    .build());
            try {
                StepVerifier.create(ready(client()).square(TestRequests.of(3, LONG)))
                        .expectErrorSatisfies(error -> assertThat(error)
                                .hasMessageContaining(
                                        "the stream ORDERS of the server has the subject of the requests"))
                        .verify(PATIENCE);
            } finally {
                management.deleteStream("ORDERS");
            }
        }
    }
}
