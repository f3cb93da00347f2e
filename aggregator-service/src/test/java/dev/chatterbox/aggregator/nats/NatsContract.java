package dev.chatterbox.aggregator.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.SharedBrokers;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;
import reactor.test.StepVerifier;

/** What the clients of the NATS responder have in common. */
abstract class NatsContract extends SquareClientContract {

    /** The peer's, so that nobody else's calls reach it. */
    private static final String SUBJECT = "nats.square.kit";

    private static final String BATCHES = SUBJECT + ".batch";

    // A variant has its responder in common with its transport, unless it is another process.
    private static final Map<String, String> ADDRESS =
            Map.of("responder.name", "kit", "address.subject", SUBJECT, "address.queue-group", "kit");

    abstract SquareClient client(Row row, ClientSettings settings);

    private static String server() {
        return SharedBrokers.of(TestRows.find("nats")).environment().get("NATS_SERVER");
    }

    @Override
    protected SquareClient client() {
        return client(server(), ADDRESS);
    }

    private SquareClient client(String server, Map<String, String> address) {
        Map<String, String> values = new HashMap<>(address);
        values.put("client.server", server);
        Row row = TestRows.with(row(), values).find(row()).orElseThrow();
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
        return client("nats://localhost:" + Ports.free(1).get(0), ADDRESS);
    }

    @Override
    protected ScriptedPeer peer() {
        return new Peer();
    }

    @Override
    protected RunningBroker brokerOfItsOwn() {
        return new NatsServer().start();
    }

    @Override
    protected SquareClient clientOf(RunningBroker broker) {
        return client(broker.environment().get("NATS_SERVER"), ADDRESS);
    }

    @Test
    void isUnavailableAtOnceWhenNoResponderListens() {
        SquareClient client = ready(client());
        Duration took = StepVerifier.create(client.square(new SquareRequest(3, Duration.ofSeconds(30))))
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE);
                    assertThat(error).hasMessageContaining("no responder listens on the subject " + SUBJECT);
                })
                .verify(PATIENCE);
        assertThat(took).isLessThan(AT_ONCE);
        StepVerifier.create(client.check())
                .expectErrorMessage("no responder listens on the subject " + SUBJECT)
                .verify(PATIENCE);
    }

    private static final class Peer extends ScriptedPeer {

        private final Connection connection;
        private @Nullable String lastReplyTo;

        Peer() {
            try {
                connection = Nats.connect(server());
                connection
                        .createDispatcher(this::arrived)
                        .subscribe(SUBJECT, "kit")
                        .subscribe(BATCHES, "kit");
                connection.flush(PATIENCE);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private void arrived(Message message) {
            lastReplyTo = message.getReplyTo();
            arrived(new Request(message));
        }

        private final class Request implements Received {

            private final Message message;
            private final boolean batch;
            private final List<Input> inputs;

            Request(Message message) {
                this.message = message;
                batch = message.getSubject().equals(BATCHES);
                inputs = inputsOf(batch, message.getData());
            }

            @Override
            public int number() {
                return inputs.get(0).getNumber();
            }

            @Override
            public List<Input> inputs() {
                return inputs;
            }

            @Override
            public void outputs(List<Output> outputs) {
                connection.publish(message.getReplyTo(), body(batch, outputs));
            }

            @Override
            public void square(int number, long square) {
                outputs(List.of(
                        Output.newBuilder().setNumber(number).setResult(square).build()));
            }

            @Override
            public void error(String reason) {
                Headers headers =
                        new Headers().put("Nats-Service-Error", reason).put("Nats-Service-Error-Code", "500");
                connection.publish(message.getReplyTo(), headers, new byte[0]);
            }

            @Override
            public byte[] rightBody() {
                return body(batch, rightOutputs());
            }

            @Override
            public void bytes(byte[] body) {
                connection.publish(message.getReplyTo(), body);
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
