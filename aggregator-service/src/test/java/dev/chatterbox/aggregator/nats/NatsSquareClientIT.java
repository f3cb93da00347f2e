package dev.chatterbox.aggregator.nats;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.aggregator.fanout.FanOutProperties;
import dev.chatterbox.aggregator.nats.NatsProperties.Requester;
import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.impl.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.StepVerifier;

class NatsSquareClientIT extends SquareClientContract {

    private static RunningBroker server;

    @BeforeAll
    static void startServer() {
        server = new NatsServer().start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected SquareClient client() {
        return client(server.environment().get("NATS_SERVER"));
    }

    private SquareClient client(String address) {
        return client(address, Requester.OWN);
    }

    private SquareClient client(String address, Requester requester) {
        FanOutProperties fanOut = new FanOutProperties(10_000, Duration.ofSeconds(5), 256, 2_048, 1_000);
        return new NatsSquareClient(new NatsProperties(address, requester), fanOut, meters);
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        open(RealResponder.start("nats", server.environment()));
        return client();
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client("nats://localhost:" + Ports.free(1).get(0));
    }

    @Override
    protected ScriptedPeer peer() {
        return new Peer();
    }

    @Override
    protected int held(SquareClient client) {
        return ((NatsSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((NatsSquareClient) client).connected();
    }

    @Test
    void isUnavailableAtOnceWhenNoResponderListens() {
        SquareClient client = ready(client());
        Duration took = StepVerifier.create(client.square(new SquareRequest(3, Duration.ofSeconds(30))))
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE);
                    assertThat(error).hasMessageContaining("no responder listens on the subject nats.square.service");
                })
                .verify(PATIENCE);
        assertThat(took).isLessThan(Duration.ofSeconds(2));
        StepVerifier.create(client.check())
                .expectErrorMessage("no responder listens on the subject nats.square.service")
                .verify(PATIENCE);
    }

    @ParameterizedTest
    @EnumSource
    void everyRequesterAnswersAndKeepsItsDeadline(Requester requester) {
        SquareClient client = ready(client(server.environment().get("NATS_SERVER"), requester));
        try (RealResponder responder = RealResponder.start("nats", server.environment())) {
            StepVerifier.create(client.square(new SquareRequest(46_342, PATIENCE)))
                    .assertNext(reply -> assertThat(reply.square()).isEqualTo(46_342L * 46_342))
                    .expectComplete()
                    .verify(PATIENCE);
        }
        try (Peer silent = new Peer()) {
            StepVerifier.create(client.square(new SquareRequest(3, Duration.ofMillis(200))))
                    .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.TIMEOUT))
                    .verify(PATIENCE);
        }
        // The server may take a moment to notice that the peer is gone.
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> StepVerifier.create(client.square(new SquareRequest(3, Duration.ofSeconds(30))))
                        .expectErrorSatisfies(
                                error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE))
                        .verify(PATIENCE));
    }

    private static final class Peer extends ScriptedPeer {

        private final Connection connection;
        private @Nullable String lastReplyTo;

        Peer() {
            try {
                connection = Nats.connect(server.environment().get("NATS_SERVER"));
                connection.createDispatcher(this::arrived).subscribe("nats.square.service", "square-service");
                connection.flush(PATIENCE);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private void arrived(Message message) {
            lastReplyTo = message.getReplyTo();
            try {
                arrived(new Request(Input.parseFrom(message.getData()).getNumber(), message));
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }

        private final class Request implements Received {

            private final int number;
            private final Message message;

            Request(int number, Message message) {
                this.number = number;
                this.message = message;
            }

            @Override
            public int number() {
                return number;
            }

            @Override
            public void square(int number, long square) {
                Output output =
                        Output.newBuilder().setNumber(number).setResult(square).build();
                connection.publish(message.getReplyTo(), output.toByteArray());
            }

            @Override
            public void error(String reason) {
                Headers headers =
                        new Headers().put("Nats-Service-Error", reason).put("Nats-Service-Error-Code", "500");
                connection.publish(message.getReplyTo(), headers, new byte[0]);
            }

            @Override
            public void garbage() {
                connection.publish(message.getReplyTo(), "\u0000\u0001nine".getBytes(StandardCharsets.UTF_8));
            }
        }

        @Override
        public void replyForNobody() {
            connection.publish(lastReplyTo + "1", new byte[0]);
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
