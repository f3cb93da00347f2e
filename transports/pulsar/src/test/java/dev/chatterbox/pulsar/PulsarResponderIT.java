package dev.chatterbox.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.PulsarBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.BatchChecks;
import dev.chatterbox.responder.BrokerResponderKit;
import dev.chatterbox.responder.MessageChecks;
import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.QueueChecks;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.responder.SharedBroker;
import dev.chatterbox.responder.Wire;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kit")
class PulsarResponderIT extends BrokerResponderKit
        implements ActuatorChecks, BatchChecks, MessageChecks, PayloadChecks, QueueChecks {

    private static final String TOPIC = "square.requests";
    private static final RunningBroker broker = SharedBroker.of(new PulsarBroker());

    PulsarResponderIT() {
        super(Path.of(""), "square-service-pulsar", Map.of("topic", TOPIC, "subscription", "square-service"), broker);
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return new BarePulsarClient(broker.environment().get("PULSAR_URL"), service.address("topic"));
    }

    @Override
    protected boolean keepsUnansweredRequests() {
        return true;
    }

    private BarePulsarClient client() {
        return (BarePulsarClient) requester;
    }

    @Override
    public String ownAddress() {
        return TOPIC;
    }

    @Override
    public void send(@Nullable String replyTo, byte[] body) {
        if (replyTo == null) {
            client().sendWithoutProperties(body);
        } else {
            client().send(body, request -> request.property("reply_topic", replyTo));
        }
    }

    /** The responder's client collects acknowledgements for 100 ms. */
    @Override
    public int answersAgain() {
        return 1;
    }

    @Test
    void repliesInBatchesWhereItIsToldTo() {
        Map<String, String> batched = Map.of("PULSAR_BATCHING", "1ms");
        try (ResponderProcess other = another("batching-responder", elsewhere(), batched);
                Requester stranger = requester(other)) {
            awaitHealth(other, 200);
            List<CompletableFuture<Requester.Answer>> answers =
                    IntStream.rangeClosed(1, 500).mapToObj(stranger::ask).toList();
            for (int number = 1; number <= answers.size(); number++) {
                assertThat(answers.get(number - 1))
                        .succeedsWithin(PATIENCE)
                        .isEqualTo(Requester.Answer.square((long) number * number));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b#*>", "persistent://nobody/nowhere/topic", "nonsense://a/b/c", "a/b/c/d/e/f"})
    void goesOnAfterTopicsThatCannotBe(String replyTopic) {
        int undeliverable = service.squares("undeliverable");
        for (int i = 0; i < 100; i++) {
            send(replyTopic, Wire.input(3));
        }

        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 100);
    }
}
