package dev.chatterbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import dev.chatterbox.brokers.RabbitMq;
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
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every responder over RabbitMQ. */
abstract class RabbitMqResponderKit extends BrokerResponderKit implements ActuatorChecks, MessageChecks, QueueChecks {

    private static final String QUEUE = "square.requests";

    private final RunningBroker server;

    RabbitMqResponderKit(Map<String, String> environment) {
        this(environment, SharedBroker.of(new RabbitMq()));
    }

    RabbitMqResponderKit(Map<String, String> environment, RunningBroker server) {
        super(Path.of(""), "square-service-rabbitmq", Map.of("queue", QUEUE), environment, server);
        this.server = server;
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return new BareRabbitMqClient("amqp://127.0.0.1:" + server.port(), service.address("queue"));
    }

    final BareRabbitMqClient client() {
        return (BareRabbitMqClient) requester;
    }

    @Override
    public String ownAddress() {
        return QUEUE;
    }

    @Override
    public void send(@Nullable String replyTo, byte[] body) {
        client().publish("1", replyTo, body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no such queue"})
    void countsAReplyThatNoQueueTakesAndGoesOn(String replyTo) {
        int undeliverable = service.squares("undeliverable");

        send(replyTo, Wire.input(3));

        await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 1);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        awaitThatAllIsAcknowledged();
    }

    @Test
    void repliesToAChannelAndTakesThatForDelivered() throws Exception {
        int undeliverable = service.squares("undeliverable");
        BlockingQueue<byte[]> replies = new LinkedBlockingQueue<>();
        try (Channel channel = client().connection().createChannel()) {
            String replyTo = "amq.rabbitmq.reply-to";
            channel.basicConsume(replyTo, true, (consumer, reply) -> replies.add(reply.getBody()), consumer -> {});
            channel.basicPublish(
                    "",
                    QUEUE,
                    new AMQP.BasicProperties.Builder().replyTo(replyTo).build(),
                    Wire.input(3));

            assertThat(Wire.output(replies.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), 3))
                    .isEqualTo(Requester.Answer.square(9));
        }
        // A reply that the server returns would arrive before this answer.
        assertThat(ask(3)).succeedsWithin(PATIENCE);
        assertThat(service.squares("undeliverable")).isEqualTo(undeliverable);
    }

    /** The server takes these for channel addresses, ignores missing channels, and ends the connection at the last. */
    @ParameterizedTest
    @ValueSource(
            strings = {"amq.rabbitmq.reply-to.", "amq.rabbitmq.reply-to.g1h2AA5yZXBseUA", "amq.rabbitmq.reply-to.a.b"})
    void goesOnAfterADirectReplyAddressOfNobody(String replyTo) {
        send(replyTo, Wire.input(3));

        awaitAnswers(requester, PATIENCE);
        awaitThatAllIsAcknowledged();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "äöü")
    void givesTheCorrelationIdBackAsItIs(String correlationId) throws Exception {
        try (Channel channel = client().connection().createChannel()) {
            String replies = channel.queueDeclare().getQueue();
            client().publish(correlationId, replies, Wire.input(3));

            await().atMost(PATIENCE).untilAsserted(() -> {
                var reply = channel.basicGet(replies, true);
                assertThat(reply).isNotNull();
                assertThat(reply.getProps().getCorrelationId()).isEqualTo(correlationId);
            });
        }
    }

    @Test
    void takesRequestsAgainWhereItsQueueWasDeleted() throws IOException {
        client().connection().createChannel().queueDelete(QUEUE);

        awaitAnswers(requester, PATIENCE);
    }

    /** Otherwise the server would deliver it to the next responder again. */
    @Test
    void acknowledgesWhatItDropsOnDemandToo() throws IOException {
        // A queue of a cluster outlives the servers' restart in another test, with a request that nobody answered.
        String queue = QUEUE + "-silent";
        try (ResponderProcess silent =
                        another("silent", Map.of("queue", queue), Map.of("CHATTERBOX_FAULTS_DROP", "1"));
                Requester other = requester(silent)) {
            awaitHealth(silent, 200);
            for (int i = 0; i < 70; i++) {
                other.ask(3);
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(silent.squares("dropped")).isEqualTo(70));
        }

        assertThat(messages(queue)).isZero();
    }

    /** The queue counts unacknowledged requests only after its consumer has gone. */
    @Override
    public void awaitThatAllIsAcknowledged() {
        service.close();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(messages(QUEUE)).isZero());
    }

    private int messages(String name) throws IOException {
        AMQP.Queue.DeclareOk queue = client().connection().createChannel().queueDeclarePassive(name);
        assertThat(queue.getConsumerCount()).isZero();
        return queue.getMessageCount();
    }
}
