package dev.chatterbox.square.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.PulsarBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.square.common.ActuatorChecks;
import dev.chatterbox.square.common.BatchChecks;
import dev.chatterbox.square.common.BrokerResponderKit;
import dev.chatterbox.square.common.PayloadChecks;
import dev.chatterbox.square.common.Requester;
import dev.chatterbox.square.common.ResponderProcess;
import dev.chatterbox.square.common.SharedBroker;
import dev.chatterbox.square.common.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PulsarResponderIT extends BrokerResponderKit implements ActuatorChecks, BatchChecks, PayloadChecks {

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
    public ResponderProcess service() {
        return service;
    }

    private BarePulsarClient client() {
        return (BarePulsarClient) requester;
    }

    static List<byte[]> bodiesThatAreNoRequest() {
        return List.of(
                new byte[] {(byte) 0xFF, 1, 2},
                "5".getBytes(StandardCharsets.US_ASCII),
                new byte[0],
                // A field that nobody knows, and no number.
                new byte[] {0x18, 5});
    }

    @ParameterizedTest
    @MethodSource("bodiesThatAreNoRequest")
    void refusesWhatIsNoRequestAndGoesOn(byte[] body) {
        assertThat(client().send(body, request -> request))
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> {
                    assertThat(reply.code()).isEqualTo(400);
                    assertThat(reply.reason()).isNotBlank();
                });
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
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

    @Test
    void countsWhatNamesNoTopicAndGoesOn() {
        int invalid = service.squares("invalid");

        client().sendWithoutProperties(Wire.input(3));

        await().atMost(PATIENCE).until(() -> service.squares("invalid") == invalid + 1);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b#*>", "persistent://nobody/nowhere/topic", "nonsense://a/b/c", "a/b/c/d/e/f"})
    void goesOnAfterTopicsThatCannotBe(String replyTopic) {
        int undeliverable = service.squares("undeliverable");
        for (int i = 0; i < 100; i++) {
            client().send(Wire.input(3), request -> request.property("reply_topic", replyTopic));
        }

        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 100);
    }

    @Test
    void doesNotTalkToItselfWhereTheReplyTopicIsItsOwn() {
        int ok = service.squares("ok");
        int invalid = service.squares("invalid");

        client().send(Wire.input(3), request -> request.property("reply_topic", TOPIC));

        await().atMost(PATIENCE).until(() -> service.squares("invalid") == invalid + 1);
        assertThat(service.squares("ok")).isEqualTo(ok + 1);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        assertThat(service.squares("invalid")).isEqualTo(invalid + 1);
    }

    @Test
    void answersWhatCameBeforeItWasThere() {
        service.close();
        CompletableFuture<Requester.Answer> answer = ask(3);
        assertThat(answer).isNotDone();

        service = another();

        assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void answersWhatAnotherHadTakenAndCannotAnswer() throws Exception {
        ResponderProcess frozen = another();
        try {
            awaitHealth(frozen, 200);
            signal(frozen, "STOP");

            List<CompletableFuture<Requester.Answer>> answers =
                    IntStream.range(0, 100).mapToObj(i -> ask(4)).toList();

            assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(PATIENCE);
        } finally {
            frozen.process().stop(Duration.ZERO);
        }
    }

    private static void signal(ResponderProcess process, String name) throws Exception {
        String pid = Long.toString(process.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                .isZero();
    }
}
