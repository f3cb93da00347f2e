package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.BrokerResponderKit;
import dev.chatterbox.responder.MessageChecks;
import dev.chatterbox.responder.QueueChecks;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.responder.Wire;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for every responder over JetStream, whatever the number of servers. */
abstract class JetStreamResponderKit extends BrokerResponderKit implements ActuatorChecks, MessageChecks, QueueChecks {

    static final String STREAM = "squares";
    static final String SUBJECT = "jetstream.square";
    static final String GROUP = "square-service-jetstream";

    /** A JVM may start slowly between the request and its answer. */
    private static final String MAX_AGE = "2m";

    final RunningBroker server;

    JetStreamResponderKit(RunningBroker server) {
        super(
                Path.of(""),
                "square-service-jetstream",
                Map.of("stream", STREAM, "subject", SUBJECT, "queue-group", GROUP),
                server);
        this.server = server;
    }

    /** Adds the settings that variants/jetstream.properties gives a responder. */
    @Override
    protected ResponderProcess another(String name, Map<String, String> address, Map<String, String> more) {
        Map<String, String> all = new HashMap<>();
        all.put("NATS_STREAM", address.get("stream"));
        all.put("NATS_STREAM_MAX_AGE", MAX_AGE);
        all.putAll(more);
        return super.another(name, address, all);
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return BareJetStreamClient.connect(server.port(), service.address("subject") + ".file");
    }

    private BareJetStreamClient client() {
        return (BareJetStreamClient) requester;
    }

    JetStreamManagement management() throws IOException {
        return client().connection().jetStreamManagement();
    }

    private void awaitThatAllIsAcknowledged(String stream) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(management()
                                .getStreamInfo(stream)
                                .getStreamState()
                                .getMsgCount())
                        .isZero());
    }

    @Override
    public void awaitThatAllIsAcknowledged() {
        awaitThatAllIsAcknowledged(STREAM + "-file");
    }

    /** Wrong requests are acknowledged too. */
    @AfterEach
    void allIsAcknowledged() {
        if (server.process().isAlive()) {
            awaitThatAllIsAcknowledged();
        }
    }

    @Override
    public String ownAddress() {
        return SUBJECT + ".file";
    }

    @Override
    public void send(@Nullable String replyTo, byte[] body) {
        Headers headers = new Headers();
        client().connection().publish(ownAddress(), replyTo == null ? headers : headers.put("Reply-To", replyTo), body);
    }

    @Test
    void goesOnAfterAReplySubjectThatCannotBe() {
        send("a b", Wire.input(3));

        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void givesTheCorrelationIdBackAlsoWithAnError() {
        for (int number : new int[] {3, 0}) {
            assertThat(client().send(Wire.input(number), new Headers().put("Correlation-Id", "x" + number)))
                    .succeedsWithin(PATIENCE)
                    .satisfies(reply -> assertThat(reply.getHeaders().getFirst("Correlation-Id"))
                            .isEqualTo("x" + number));
        }
    }

    @Test
    void countsAReplyThatIsToBeStoredAndIsNot() throws Exception {
        int undeliverable = service.squares("undeliverable");
        management()
                .addStream(StreamConfiguration.builder()
                        .name("replies-kit")
                        .subjects("replies.kit")
                        .storageType(StorageType.Memory)
                        .maxMsgSize(1)
                        .build());

        storedReplyTo("replies.nowhere");
        await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 1);
        storedReplyTo("replies.kit");
        await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 2);
        assertThat(service.logged("An answer could not be sent")).isEqualTo(1);
    }

    private void storedReplyTo(String subject) {
        Headers headers = new Headers().put("Reply-To", subject).put("Correlation-Id", "1");
        client().connection().publish(SUBJECT + ".file", headers, Wire.input(3));
    }

    @Test
    void leavesARequestThatNobodyTookToItsMaxAge() throws Exception {
        Map<String, String> address = elsewhere();
        try (ResponderProcess old = another("old-responder", address, Map.of("NATS_STREAM_MAX_AGE", "1s"))) {
            awaitHealth(old, 200);
        }
        String stream = address.get("stream") + "-file";
        assertThat(management().getStreamInfo(stream).getConfiguration().getMaxAge())
                .isEqualTo(Duration.ofSeconds(1));

        client().connection().publish(address.get("subject") + ".file", Wire.input(3));

        await().atMost(PATIENCE)
                .until(() -> management().getStreamInfo(stream).getStreamState().getLastSequence() > 0);
        awaitThatAllIsAcknowledged(stream);
    }

    @Test
    void describesItselfByTheServicesConvention() {
        assertThat(client().connection().request("$SRV.PING." + GROUP, null)).succeedsWithin(PATIENCE);
    }
}
