package dev.chatterbox.artemis;

import static dev.chatterbox.artemis.BareArtemisClient.CORRELATION_ID;
import static dev.chatterbox.artemis.BareArtemisClient.REPLY_TO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.ArtemisBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.BrokerResponderKit;
import dev.chatterbox.responder.MessageChecks;
import dev.chatterbox.responder.QueueChecks;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.responder.SharedBroker;
import dev.chatterbox.responder.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kit")
class ArtemisResponderIT extends BrokerResponderKit implements ActuatorChecks, MessageChecks, QueueChecks {

    private static final String QUEUE = "square.requests";
    private static final RunningBroker broker = SharedBroker.of(new ArtemisBroker());

    ArtemisResponderIT() {
        super(Path.of(""), "square-service-artemis", Map.of("queue", QUEUE), broker);
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return new BareArtemisClient(broker.environment().get("ARTEMIS_URL"), service.address("queue"));
    }

    private BareArtemisClient client() {
        return (BareArtemisClient) requester;
    }

    @Override
    public String ownAddress() {
        return QUEUE;
    }

    @Override
    public void send(@Nullable String replyTo, byte[] body) {
        client().send(body, request -> {
            request.removeProperty(REPLY_TO);
            if (replyTo != null) {
                request.putStringProperty(REPLY_TO, SimpleString.of(replyTo));
            }
        });
    }

    static Stream<Named<Object>> correlationIds() {
        return Stream.of(
                Named.of("a number", 7L), Named.of("a text", SimpleString.of("seven")), Named.of("true", Boolean.TRUE));
    }

    @ParameterizedTest
    @MethodSource("correlationIds")
    void givesTheCorrelationIdBackAlsoWithAnError(Object id) {
        for (int number : new int[] {3, 0}) {
            assertThat(client().send(id, Wire.input(number), request -> {}))
                    .succeedsWithin(PATIENCE)
                    .satisfies(reply ->
                            assertThat(reply.getObjectProperty(CORRELATION_ID)).isEqualTo(id));
        }
    }

    @Test
    void answersWithoutACorrelationIdToo() {
        client().send(Wire.input(3), request -> request.removeProperty(CORRELATION_ID));

        await().atMost(PATIENCE).until(() -> client().received().size() == 1);
        assertThat(client().received())
                .first()
                .satisfies(
                        reply -> assertThat(BareArtemisClient.answer(reply, 3)).isEqualTo(Requester.Answer.square(9)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue://", "temp-queue://"})
    void answersToAQueueThatIsNamedAsJmsNamesIt(String prefix) {
        assertThat(client().send(
                                Wire.input(3),
                                request -> request.putStringProperty(
                                        REPLY_TO, SimpleString.of(prefix).concat(client().replyTo()))))
                .succeedsWithin(PATIENCE);
    }

    static Stream<Named<Consumer<ClientMessage>>> requestsThatNameNoQueue() {
        return Stream.of(
                Named.of("a number", request -> request.putLongProperty(REPLY_TO, 7)),
                Named.of("bytes", request -> request.putBytesProperty(REPLY_TO, new byte[] {1})));
    }

    @ParameterizedTest
    @MethodSource("requestsThatNameNoQueue")
    void countsWhatNamesNoQueueAndGoesOn(Consumer<ClientMessage> change) {
        int invalid = service.squares("invalid");

        client().send(Wire.input(3), change);

        await().atMost(PATIENCE).until(() -> service.squares("invalid") == invalid + 1);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        assertThat(client().received()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no.such.queue", "", "queue://", "a b#*>", "$sys.mqtt", "activemq.management"})
    void goesOnAfterQueuesThatDoNotExist(String replyTo) throws IOException {
        Path log = broker.process().log();
        // Connections that earlier tests broke are in it, some a moment later.
        AtomicInteger before = new AtomicInteger(-1);
        await().atMost(PATIENCE).during(Duration.ofMillis(300)).until(() -> {
            int now = Files.readString(log).length();
            return before.getAndSet(now) == now;
        });

        for (int i = 0; i < 100; i++) {
            send(replyTo, Wire.input(3));
        }

        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        assertThat(Files.readString(log).substring(before.get())).doesNotContain("Exception");
    }

    @Test
    void goesOnAfterAVeryLongNameOfAQueue() {
        client().send(Wire.input(3), request -> request.putStringProperty(REPLY_TO, "x".repeat(50_000)));

        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void makesItsQueueAgainWhenSomebodyDeletesIt() throws Exception {
        client().destroyQueue(QUEUE);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ask(5))
                        .succeedsWithin(Duration.ofSeconds(1))
                        .isEqualTo(Requester.Answer.square(25)));
    }

    @Test
    void leavesWhatHasExpired() {
        int ok = service.squares("ok");
        client().send(Wire.input(3), request -> request.setExpiration(System.currentTimeMillis() - 1));

        assertThat(ask(4)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(16));
        assertThat(service.squares("ok")).isEqualTo(ok + 1);
    }
}
