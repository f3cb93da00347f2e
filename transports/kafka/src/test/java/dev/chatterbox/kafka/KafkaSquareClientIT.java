package dev.chatterbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.TestRequests;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class KafkaSquareClientIT extends KafkaContract {

    @Override
    protected String variant() {
        return "kafka";
    }

    /** The topics are gone if a broker has come back without its data; the responder makes its own topics again. */
    @Test
    void goesOnWithNewTopicsWhereTheOldOnesAreGone() throws Exception {
        assumeTrue(variant().equals("kafka"), "square-service-python makes its topic at its start, and then no more");
        SquareClient client = ready(clientOfTheRealResponder());
        awaitAnswer(client);
        deleteTopics(url(), "square.requests", "square.requests.batch", "square.replies");
        await().atMost(RECOVERY).until(() -> !connected(client));

        awaitAnswer(client);
    }

    private static void awaitAnswer(SquareClient client) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() ->
                        client.square(TestRequests.of(3, SHORT)).block(PATIENCE).square(0) == 9);
    }

    /** First a topic that takes only small messages, then another topic of the same name that takes larger ones. */
    @Test
    void itsMessageLimitIsThatOfTheTopicsThatAreThere() throws Exception {
        String requests = "limited.%s.requests".formatted(variant());
        String[] names = {requests, requests + ".batch"};
        Map<String, String> address =
                Map.of("address.request-topic", requests, "address.reply-topic", "limited." + variant());
        int byDefault = KafkaSquareClient.LIMIT.bytes();
        makeTopics(url(), topics(names, Map.of("max.message.bytes", "100000")));
        SquareClient client = client(url(), address);
        assertThat(client.messageLimit().bytes()).isEqualTo(byDefault);
        ready(client);
        assertThat(client.messageLimit().bytes()).isEqualTo(100_000 - 1_024);

        deleteTopics(url(), names);
        await().atMost(RECOVERY).until(() -> !connected(client));
        assertThat(client.check().toFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("no responder has been started yet");
        makeTopics(url(), topics(names, Map.of()));

        await().atMost(RECOVERY).until(() -> connected(client));
        assertThat(client.messageLimit().bytes()).isEqualTo(byDefault);
    }

    private static NewTopic[] topics(String[] names, Map<String, String> configuration) {
        return Stream.of(names)
                .map(name -> new NewTopic(name, 1, (short) 1).configs(configuration))
                .toArray(NewTopic[]::new);
    }

    /** Each outage ends a producer, a consumer and an admin client: their threads must go with them. */
    @Tag("long")
    @Test
    void anOutageLeavesNoThreadBehind() {
        RunningBroker broker = open(brokerOfItsOwn());
        SquareClient client = ready(clientOf(broker));
        long before = threads();
        for (int outage = 1; outage <= 2; outage++) {
            broker.kill();
            await().atMost(RECOVERY).until(() -> !connected(client));
            broker.restart();
            await().atMost(RECOVERY).until(() -> connected(client));
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(threads()).isLessThanOrEqualTo(before));
        StepVerifier.create(client.check().onErrorComplete()).expectComplete().verify(PATIENCE);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("kafka-") || name.startsWith("reader of"))
                .count();
    }
}
