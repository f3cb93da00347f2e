package dev.chatterbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.BrokerClientContract;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.ScriptedPeer;
import dev.chatterbox.client.SharedBrokers;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.TestRequests;
import dev.chatterbox.client.TestVariants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the clients of the RabbitMQ responder have in common. */
abstract class RabbitMqContract extends BrokerClientContract {

    /** The queue of the peer, so that no other calls reach it. */
    private static final String QUEUE = "square.kit";

    @BeforeAll
    static void requireTheServer() {
        Assumptions.assumeTrue(SharedBrokers.canHave(TestVariants.find("rabbitmq")), "RabbitMQ is not here");
    }

    RabbitMqContract() {
        super(new Wiring("RABBITMQ_URI", "client.uri", "amqp://127.0.0.1:%d", Map.of("address.queue", QUEUE)));
    }

    @Override
    protected ScriptedPeer peer(String uri) {
        return new Peer(uri);
    }

    static Connection connect(String server) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            // The address of one node is enough for the peer.
            factory.setUri(server.split(",")[0]);
            return factory.newConnection("kit");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static CompletableFuture<SquareReply> call(SquareClient client, Duration timeout) {
        return client.square(TestRequests.of(3, timeout)).toFuture();
    }

    private static void endsWith(Outcome outcome, CompletableFuture<SquareReply> call) {
        assertThat(call)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(outcome));
    }

    private static void isDown(SquareClient client) {
        assertThat(client.check().toFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("no responder takes requests from the queue " + QUEUE);
    }

    @Test
    void isUnavailableAtOnceWhereThereIsNoQueue() {
        SquareClient client = ready(client());
        if (client.deviations().contains(Deviation.WAITS_FOR_A_RESPONDER)) {
            endsWith(Outcome.TIMEOUT, call(client, Duration.ofSeconds(2)));
        } else {
            // The first call in a JVM loads the library's classes, which must not be measured.
            assertThat(call(client, LONG)).failsWithin(PATIENCE);
            assertThat(call(client, LONG))
                    .failsWithin(AT_ONCE)
                    .withThrowableThat()
                    .withMessageContaining("no responder takes requests from the queue " + QUEUE);
        }
        isDown(client);
        isDown(client);
        // The server's refusals have not closed anything that calls need.
        try (ScriptedPeer peer = peer()) {
            CompletableFuture<SquareReply> call = call(client, LONG);
            peer.next().right();
            assertThat(call).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void keepsARequestForTheResponderThatComes() throws Exception {
        SquareClient client = ready(client());
        try (Connection connection = connect(url());
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(QUEUE, true, false, false, null);
            isDown(client);
            CompletableFuture<SquareReply> call = call(client, LONG);
            await().atMost(PATIENCE)
                    .until(() -> channel.queueDeclarePassive(QUEUE).getMessageCount() == 1);

            try (ScriptedPeer peer = peer()) {
                peer.next().right();
                assertThat(call).succeedsWithin(PATIENCE);
            }
        }
    }

    /** No caller is blocked, though the server reads nothing, sockets are full and the limit of calls is reached. */
    @Test
    void timesOutWhileTheServerIsFrozenAndGoesOnWithIt() {
        RunningBroker broker = open(brokerOfItsOwn());
        ScriptedPeer peer = open(peer(url(broker)));
        SquareClient client = ready(clientOf(broker));
        CompletableFuture<SquareReply> first = call(client, LONG);
        peer.next().right();
        assertThat(first).succeedsWithin(PATIENCE);

        broker.process().freeze();
        try {
            for (int round = 0; round < 10; round++) {
                List<CompletableFuture<SquareReply>> calls = IntStream.range(
                                0, Math.min(LIMITS.maxInFlight(), client.maxInFlight()))
                        .mapToObj(i -> call(client, Duration.ofMillis(300)))
                        .toList();
                assertThatCode(() -> CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                                .exceptionally(error -> null)
                                .get(AT_ONCE.toSeconds(), TimeUnit.SECONDS))
                        .doesNotThrowAnyException();
                calls.forEach(call -> endsWith(Outcome.TIMEOUT, call));
            }
        } finally {
            broker.process().resume();
        }

        await().atMost(RECOVERY).ignoreExceptions().untilAsserted(() -> {
            CompletableFuture<SquareReply> call = call(client, Duration.ofSeconds(1));
            // Requests of calls that were given up come first, if they come at all.
            await().atMost(PATIENCE).until(() -> {
                while (peer.waiting() > 0) {
                    peer.next().right();
                }
                return call.isDone();
            });
            assertThat(call).isCompleted();
        });
    }

    private static final class Peer extends ScriptedPeer {

        private final Connection connection;
        private final Channel channel;
        private AMQP.@Nullable BasicProperties last;

        Peer(String server) {
            connection = connect(server);
            try {
                channel = connection.createChannel();
                channel.queueDeclare(QUEUE, true, false, false, null);
                channel.basicConsume(QUEUE, true, (consumer, request) -> arrived(request), consumer -> {});
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void arrived(Delivery request) {
            last = request.getProperties();
            arrived(new Request(request));
        }

        private void publish(
                AMQP.BasicProperties request, String suffix, @Nullable Map<String, Object> headers, byte[] body) {
            AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                    .correlationId(request.getCorrelationId() + suffix)
                    .headers(headers)
                    .build();
            try {
                channel.basicPublish("", request.getReplyTo(), properties, body);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private final class Request extends MessageReceived {

            private final AMQP.BasicProperties properties;

            Request(Delivery request) {
                super(false, request.getBody());
                properties = request.getProperties();
            }

            @Override
            public void error(String reason) {
                publish(
                        properties,
                        "",
                        Map.of("chatterbox_error", reason, "chatterbox_error_code", "500"),
                        new byte[0]);
            }

            @Override
            public void bytes(byte[] body) {
                publish(properties, "", null, body);
            }
        }

        @Override
        public void replyForNobody() {
            publish(last, "1", null, new byte[0]);
        }

        @Override
        public void close() {
            try {
                channel.queueDelete(QUEUE);
                connection.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
