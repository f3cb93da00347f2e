package dev.chatterbox.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.SharedBrokers;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.TestRequests;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.proto.Input;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("kit")
class PulsarSquareClientIT extends PulsarContract {

    @Override
    protected String variant() {
        return "pulsar";
    }

    /** The broker does not tell a sender that nobody takes its requests. */
    @Test
    void isShownAsDownWhereNobodyTakesRequests() {
        SquareClient client = ready(client());

        assertThat(client.check().toFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> {
                    assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE);
                    assertThat(error.getCause()).hasMessageContaining("no responder takes requests");
                });
    }

    @Test
    void tellsTheSettingOfTheBrokerThatDecides() {
        SquareClient client = ready(client());

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(client.settings()).containsEntry("managedLedgerNewEntriesCheckDelayInMillis", "0"));
    }

    /** The replies to such calls are not counted as unmatched either. */
    @Test
    void whatItCouldNotSendIsNotSentLater() throws Exception {
        RunningBroker broker = open(brokerOfItsOwn());
        SquareClient client = ready(clientOf(broker));
        try (PulsarClient observer = observer(broker)) {
            Consumer<byte[]> requests = subscribe(observer);
            client.square(TestRequests.of(3, LONG)).subscribe(reply -> {}, error -> {});
            assertThat(number(requests)).isEqualTo(3);
        }

        signal(broker, "STOP");
        for (int i = 0; i < 100; i++) {
            client.square(TestRequests.of(4, Duration.ofMillis(100)))
                    .onErrorComplete()
                    .subscribe();
        }
        await().atMost(PATIENCE).until(() -> holds(client) == 1);
        broker.kill();
        await().atMost(RECOVERY).until(() -> !connected(client) && holds(client) == 0);
        broker.restart();
        await().atMost(RECOVERY).until(() -> connected(client));

        client.square(TestRequests.of(5, LONG)).subscribe(reply -> {}, error -> {});
        try (PulsarClient observer = observer(broker)) {
            Consumer<byte[]> requests = subscribe(observer);
            assertThat(List.of(number(requests), number(requests))).containsExactly(3, 5);
        }
        assertThat(meters.get("chatterbox.replies.unmatched").counter().count()).isZero();
    }

    private static PulsarClient observer(RunningBroker broker) throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl(broker.environment().get("PULSAR_URL"))
                .build();
    }

    /** A message that was not acknowledged comes to the next subscriber, too. */
    private static Consumer<byte[]> subscribe(PulsarClient client) throws PulsarClientException {
        return client.newConsumer().topic(TOPIC).subscriptionName("kept").subscribe();
    }

    private static int number(Consumer<byte[]> requests) throws Exception {
        Message<byte[]> request = requests.receive(Math.toIntExact(PATIENCE.toSeconds()), TimeUnit.SECONDS);
        return Input.parseFrom(request.getData()).getNumber();
    }

    private static void signal(RunningBroker broker, String name) throws Exception {
        String pid = Long.toString(broker.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                .isZero();
    }

    /** Nothing of an aggregator that has gone remains in the broker: neither its subscription nor its topic. */
    @Test
    void leavesNothingInTheBroker() {
        RunningBroker broker = SharedBrokers.of(TestVariants.find(variant()));
        PulsarAdmin admin = new PulsarAdmin(broker.environment().get("PULSAR_ADMIN_URL"));
        SquareClient client = client(
                url(), Map.of("address.topic", "square.requests.gone", "address.subscription", "square-service-gone"));
        client.start();
        await().atMost(PATIENCE).until(() -> replyTopics(admin) == 1);

        client.stop();

        await().atMost(Duration.ofSeconds(90)).until(() -> replyTopics(admin) == 0);
    }

    private static long replyTopics(PulsarAdmin admin) {
        JsonNode topics = admin.get("/persistent/public/default").toFuture().join();
        return topics.valueStream()
                .filter(topic -> topic.asString().contains("square.requests.gone.replies."))
                .count();
    }
}
