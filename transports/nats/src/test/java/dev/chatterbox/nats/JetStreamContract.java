package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.client.BrokerClientContract;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.ScriptedPeer;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.TestRequests;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.proto.Output;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the clients whose requests JetStream stores have in common. */
abstract class JetStreamContract extends BrokerClientContract {

    private static final String STREAM = "kit";

    /** The subject of the peer, so that no other calls reach it. */
    private static final String SUBJECT = "jetstream.kit";

    JetStreamContract() {
        super(new Wiring(
                "NATS_SERVER",
                "client.server",
                "nats://localhost:%d",
                Map.of(
                        "responder.name",
                        "kit",
                        "address.stream",
                        STREAM,
                        "address.subject",
                        SUBJECT,
                        "address.queue-group",
                        "kit")));
    }

    private StorageType storage() {
        return StorageType.get(TestVariants.find(variant()).client().settings().get("storage"));
    }

    private String stream() {
        return STREAM + "-" + storage();
    }

    private String subject() {
        return SUBJECT + "." + storage();
    }

    @Override
    protected ScriptedPeer peer(String url) {
        return new NatsPeer(url, (peer, connection) -> {
            JetStreamManagement management = connection.jetStreamManagement();
            makeStream(management, 10_000);
            management.addOrUpdateConsumer(
                    stream(), ConsumerConfiguration.builder().durable("kit").build());
            connection.getConsumerContext(stream(), "kit").consume(request -> {
                request.ack();
                Headers headers = request.getHeaders();
                peer.arrived(request, false, headers.getFirst("Reply-To"), headers.getFirst("Correlation-Id"));
            });
        });
    }

    @Test
    void isUnavailableAtOnceWhereNoStreamStoresTheRequest() throws Exception {
        withoutStream();
        SquareClient client = ready(client());

        // The first call in a JVM loads the library's classes, which must not be measured.
        assertThat(call(client)).failsWithin(PATIENCE);
        assertThat(call(client))
                .failsWithin(AT_ONCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
        assertThat(client.check().toFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
    }

    @Test
    void isUnavailableAtOnceWhereTheStreamIsFull() throws Exception {
        SquareClient client = ready(client());
        try (Connection connection = Nats.connect(url())) {
            JetStreamManagement management = connection.jetStreamManagement();
            makeStream(management, 1);
            CompletableFuture<SquareReply> stored = call(client);
            await().atMost(PATIENCE)
                    .until(() ->
                            management.getStreamInfo(stream()).getStreamState().getMsgCount() == 1);
            assertThat(stored).isNotDone();
        }

        assertThat(call(client)).failsWithin(AT_ONCE).withThrowableThat().satisfies(error -> {
            assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE);
            assertThat(error.getCause()).hasMessageContaining("maximum messages exceeded");
        });
    }

    /** A reply may overtake its request's acknowledgement. */
    @Test
    void aReplyEndsACallThatWasNotAcknowledgedYet() throws Exception {
        withoutStream();
        SquareClient client = ready(client());
        try (Connection connection = Nats.connect(url())) {
            connection
                    .createDispatcher(request -> {
                        Headers headers = new Headers();
                        String correlationId = request.getHeaders().getFirst("Correlation-Id");
                        if (correlationId != null) {
                            headers.put("Correlation-Id", correlationId);
                        }
                        connection.publish(
                                request.getHeaders().getFirst("Reply-To"),
                                headers,
                                Output.newBuilder()
                                        .setNumber(3)
                                        .setResult(9)
                                        .build()
                                        .toByteArray());
                    })
                    .subscribe(subject());
            connection.flush(PATIENCE);

            assertThat(call(client))
                    .succeedsWithin(PATIENCE)
                    .satisfies(reply -> assertThat(reply.square(0)).isEqualTo(9));
        }
    }

    private static CompletableFuture<SquareReply> call(SquareClient client) {
        return client.square(TestRequests.of(3, LONG)).toFuture();
    }

    private void withoutStream() throws Exception {
        try (Connection connection = Nats.connect(url())) {
            deleteStream(connection.jetStreamManagement());
        }
    }

    private void deleteStream(JetStreamManagement management) throws IOException, JetStreamApiException {
        if (management.getStreamNames().contains(stream())) {
            management.deleteStream(stream());
        }
    }

    private void makeStream(JetStreamManagement management, int maxMessages) throws IOException, JetStreamApiException {
        deleteStream(management);
        management.addStream(StreamConfiguration.builder()
                .name(stream())
                .subjects(subject())
                .storageType(storage())
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .discardPolicy(DiscardPolicy.New)
                .maxMessages(maxMessages)
                .build());
    }
}
