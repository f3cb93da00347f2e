package dev.chatterbox.aggregator.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.SharedBrokers;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

/** What the clients whose requests JetStream stores have in common. */
abstract class JetStreamContract extends SquareClientContract {

    private static final String STREAM = "kit";

    /** The peer's, so that nobody else's calls reach it. */
    private static final String SUBJECT = "jetstream.kit";

    private static final Map<String, String> ADDRESS =
            Map.of("address.stream", STREAM, "address.subject", SUBJECT, "address.queue-group", "kit");

    abstract SquareClient client(Row row, ClientSettings settings);

    private StorageType storage() {
        return StorageType.get(TestRows.find(row()).clientSettings().get("storage"));
    }

    private String subject() {
        return SUBJECT + "." + storage();
    }

    private String server() {
        return SharedBrokers.of(TestRows.find(row())).environment().get("NATS_SERVER");
    }

    @Override
    protected SquareClient client() {
        return client(server(), ADDRESS);
    }

    private SquareClient client(String server, Map<String, String> address) {
        Map<String, String> values = new HashMap<>(address);
        values.put("client.server", server);
        Row row = TestRows.with("jetstream", values).find(row()).orElseThrow();
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
        return new Peer(server(), storage());
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
    void isUnavailableAtOnceWhereNoStreamStoresTheRequest() throws Exception {
        withoutStream();
        SquareClient client = ready(client());

        // The first call of a JVM loads the library's classes, which is not what is measured.
        assertThat(call(client)).failsWithin(PATIENCE);
        assertThat(call(client))
                .failsWithin(AT_ONCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
        assertThat(client.check().toFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
    }

    @Test
    void isUnavailableAtOnceWhereTheStreamIsFull() throws Exception {
        SquareClient client = ready(client());
        try (Connection connection = Nats.connect(server())) {
            JetStreamManagement management = connection.jetStreamManagement();
            makeStream(management, storage(), 1);
            CompletableFuture<SquareReply> stored = call(client);
            await().atMost(PATIENCE)
                    .until(() -> management
                                    .getStreamInfo(STREAM + "-" + storage())
                                    .getStreamState()
                                    .getMsgCount()
                            == 1);
            assertThat(stored).isNotDone();
        }

        assertThat(call(client)).failsWithin(AT_ONCE).withThrowableThat().satisfies(error -> {
            assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE);
            assertThat(error.getCause()).hasMessageContaining("maximum messages exceeded");
        });
    }

    /** As one that overtakes its request's acknowledgement. */
    @Test
    void aReplyEndsACallThatWasNotAcknowledgedYet() throws Exception {
        withoutStream();
        SquareClient client = ready(client());
        try (Connection connection = Nats.connect(server())) {
            connection
                    .createDispatcher(request -> {
                        Headers headers = new Headers();
                        String correlationId = request.getHeaders().getFirst("Correlation-Id");
                        if (correlationId != null) {
                            headers.put("Correlation-Id", correlationId);
                        }
                        connection.publish(
                                request.getHeaders().getFirst("Reply-To"),
                                headers,
                                Output.newBuilder()
                                        .setNumber(3)
                                        .setResult(9)
                                        .build()
                                        .toByteArray());
                    })
                    .subscribe(subject());
            connection.flush(PATIENCE);

            assertThat(call(client))
                    .succeedsWithin(PATIENCE)
                    .satisfies(reply -> assertThat(reply.square()).isEqualTo(9));
        }
    }

    private static CompletableFuture<SquareReply> call(SquareClient client) {
        return client.square(new SquareRequest(3, LONG)).toFuture();
    }

    private void withoutStream() throws Exception {
        try (Connection connection = Nats.connect(server())) {
            deleteStream(connection.jetStreamManagement(), storage());
        }
    }

    private static void deleteStream(JetStreamManagement management, StorageType storage)
            throws IOException, JetStreamApiException {
        if (management.getStreamNames().contains(STREAM + "-" + storage)) {
            management.deleteStream(STREAM + "-" + storage);
        }
    }

    private static void makeStream(JetStreamManagement management, StorageType storage, int maxMessages)
            throws IOException, JetStreamApiException {
        deleteStream(management, storage);
        management.addStream(StreamConfiguration.builder()
                .name(STREAM + "-" + storage)
                .subjects(SUBJECT + "." + storage)
                .storageType(storage)
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .discardPolicy(DiscardPolicy.New)
                .maxMessages(maxMessages)
                .build());
    }

    private static final class Peer extends ScriptedPeer {

        private final Connection connection;
        private @Nullable Headers last;

        Peer(String server, StorageType storage) {
            try {
                connection = Nats.connect(server);
                JetStreamManagement management = connection.jetStreamManagement();
                makeStream(management, storage, 10_000);
                management.addOrUpdateConsumer(
                        STREAM + "-" + storage,
                        ConsumerConfiguration.builder().durable("kit").build());
                connection.getConsumerContext(STREAM + "-" + storage, "kit").consume(this::arrived);
                connection.flush(PATIENCE);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private void arrived(Message message) {
            message.ack();
            last = message.getHeaders();
            try {
                arrived(new Request(Input.parseFrom(message.getData()).getNumber(), message.getHeaders()));
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }

        private static Headers headers(Headers request, String suffix) {
            Headers headers = new Headers();
            String correlationId = request.getFirst("Correlation-Id");
            return correlationId == null ? headers : headers.put("Correlation-Id", correlationId + suffix);
        }

        private final class Request implements Received {

            private final int number;
            private final Headers headers;

            Request(int number, Headers headers) {
                this.number = number;
                this.headers = headers;
            }

            @Override
            public int number() {
                return number;
            }

            @Override
            public void square(int number, long square) {
                Output output =
                        Output.newBuilder().setNumber(number).setResult(square).build();
                reply(headers(headers, ""), output.toByteArray());
            }

            @Override
            public void error(String reason) {
                reply(
                        headers(headers, "").put("Nats-Service-Error", reason).put("Nats-Service-Error-Code", "500"),
                        new byte[0]);
            }

            @Override
            public void bytes(byte[] body) {
                reply(headers(headers, ""), body);
            }

            private void reply(Headers with, byte[] body) {
                connection.publish(headers.getFirst("Reply-To"), with, body);
            }
        }

        /** With another correlation id, be it in the subject or in the header. */
        @Override
        public void replyForNobody() {
            String replyTo = last.getFirst("Reply-To");
            boolean inHeader = last.containsKey("Correlation-Id");
            connection.publish(inHeader ? replyTo : replyTo + "1", headers(last, "1"), new byte[0]);
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
