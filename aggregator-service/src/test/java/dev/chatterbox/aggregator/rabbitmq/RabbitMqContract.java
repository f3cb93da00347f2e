package dev.chatterbox.aggregator.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.SharedBrokers;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.Deviation;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.brokers.RabbitMq;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.rows.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

/** What the clients of the RabbitMQ responder have in common. */
abstract class RabbitMqContract extends SquareClientContract {

    /** The peer's, so that nobody else's calls reach it. */
    private static final String QUEUE = "square.kit";

    @BeforeAll
    static void requireTheServer() {
        Assumptions.assumeTrue(SharedBrokers.canHave(TestRows.find("rabbitmq")), "RabbitMQ is not here");
    }

    abstract SquareClient client(Row row, ClientSettings settings);

    private static String server() {
        return SharedBrokers.of(TestRows.find("rabbitmq")).environment().get("RABBITMQ_URI");
    }

    @Override
    protected SquareClient client() {
        return client(server(), Map.of("address.queue", QUEUE));
    }

    private SquareClient client(String server, Map<String, String> address) {
        Map<String, String> values = new HashMap<>(address);
        values.put("client.uri", server);
        Row row = TestRows.with("rabbitmq", values).find(row()).orElseThrow();
        return client(row, new ClientSettings(row, new MockEnvironment()));
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        Row row = TestRows.find(row());
        open(RealResponder.start(row, SharedBrokers.of(row).environment()));
        return client(server(), Map.of());
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client("amqp://127.0.0.1:" + Ports.free(1).get(0), Map.of());
    }

    @Override
    protected ScriptedPeer peer() {
        return new Peer(server());
    }

    @Override
    protected RunningBroker brokerOfItsOwn() {
        return new RabbitMq().start();
    }

    @Override
    protected SquareClient clientOf(RunningBroker broker) {
        return client(broker.environment().get("RABBITMQ_URI"), Map.of("address.queue", QUEUE));
    }

    private static Connection connect(String server) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(server);
            return factory.newConnection("kit");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static CompletableFuture<SquareReply> call(SquareClient client, Duration timeout) {
        return client.square(new SquareRequest(3, timeout)).toFuture();
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
            // The first call of a JVM loads the library's classes, which is not what is measured.
            assertThat(call(client, LONG)).failsWithin(PATIENCE);
            assertThat(call(client, LONG))
                    .failsWithin(AT_ONCE)
                    .withThrowableThat()
                    .withMessageContaining("no responder takes requests from the queue " + QUEUE);
        }
        isDown(client);
        isDown(client);
        // What the server refused has closed nothing that calls need.
        try (ScriptedPeer peer = peer()) {
            CompletableFuture<SquareReply> call = call(client, LONG);
            peer.next().right();
            assertThat(call).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void keepsARequestForTheResponderThatComes() throws Exception {
        SquareClient client = ready(client());
        try (Connection connection = connect(server());
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

    /** Nobody is held, though the server reads nothing and sockets take no more; as many call as are ever in flight. */
    @Test
    void timesOutWhileTheServerIsFrozenAndGoesOnWithIt() throws Exception {
        RunningBroker broker = open(brokerOfItsOwn());
        ScriptedPeer peer = open(new Peer(broker.environment().get("RABBITMQ_URI")));
        SquareClient client = ready(clientOf(broker));
        CompletableFuture<SquareReply> first = call(client, LONG);
        peer.next().right();
        assertThat(first).succeedsWithin(PATIENCE);

        signal(broker, "STOP");
        try {
            for (int round = 0; round < 10; round++) {
                List<CompletableFuture<SquareReply>> calls = IntStream.range(
                                0, Math.min(LIMITS.maxInFlight(), client.maxInFlight()))
                        .mapToObj(i -> call(client, Duration.ofMillis(300)))
                        .toList();
                assertThatCode(() -> CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                                .exceptionally(error -> null)
                                .get(2, TimeUnit.SECONDS))
                        .doesNotThrowAnyException();
                calls.forEach(call -> endsWith(Outcome.TIMEOUT, call));
            }
        } finally {
            signal(broker, "CONT");
        }

        await().atMost(RECOVERY).ignoreExceptions().untilAsserted(() -> {
            CompletableFuture<SquareReply> call = call(client, Duration.ofSeconds(1));
            // Those of calls that were given up come first, if they come.
            await().atMost(PATIENCE).until(() -> {
                while (peer.waiting() > 0) {
                    peer.next().right();
                }
                return call.isDone();
            });
            assertThat(call).isCompleted();
        });
    }

    private static void signal(RunningBroker broker, String name) throws IOException, InterruptedException {
        String pid = Long.toString(broker.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                .isZero();
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
            try {
                arrived(new Request(Input.parseFrom(request.getBody()).getNumber(), request.getProperties()));
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
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

        private final class Request implements Received {

            private final int number;
            private final AMQP.BasicProperties properties;

            Request(int number, AMQP.BasicProperties properties) {
                this.number = number;
                this.properties = properties;
            }

            @Override
            public int number() {
                return number;
            }

            @Override
            public void square(int number, long square) {
                Output output =
                        Output.newBuilder().setNumber(number).setResult(square).build();
                publish(properties, "", null, output.toByteArray());
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
