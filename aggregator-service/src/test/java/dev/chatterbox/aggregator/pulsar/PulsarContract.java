package dev.chatterbox.aggregator.pulsar;

import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.SharedBrokers;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.brokers.PulsarBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.rows.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.springframework.mock.env.MockEnvironment;

/** What the clients of the Pulsar responder have in common. */
abstract class PulsarContract extends SquareClientContract {

    /** The peer's, so that nobody else's calls reach it. */
    static final String TOPIC = "square.requests.kit";

    private static final Map<String, String> ADDRESS =
            Map.of("address.topic", TOPIC, "address.subscription", "square-service-kit");

    RunningBroker broker() {
        return SharedBrokers.of(TestRows.find(row()));
    }

    @Override
    protected SquareClient client() {
        return client(broker().environment(), ADDRESS);
    }

    SquareClient client(Map<String, String> broker, Map<String, String> address) {
        Map<String, String> values = new HashMap<>(address);
        values.put("client.url", broker.get("PULSAR_URL"));
        values.put("client.admin-url", broker.get("PULSAR_ADMIN_URL"));
        Row row = TestRows.with(row(), values).find(row()).orElseThrow();
        return new PulsarSquareClient(row, new ClientSettings(row, new MockEnvironment()), LIMITS, meters);
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        Row row = TestRows.find(row());
        open(RealResponder.start(row, broker().environment()));
        return client(broker().environment(), Map.of());
    }

    @Override
    protected SquareClient clientOfNobody() {
        int port = Ports.free(1).get(0);
        return client(
                Map.of("PULSAR_URL", "pulsar://localhost:" + port, "PULSAR_ADMIN_URL", "http://localhost:" + port),
                ADDRESS);
    }

    @Override
    protected RunningBroker brokerOfItsOwn() {
        return new PulsarBroker().start();
    }

    @Override
    protected SquareClient clientOf(RunningBroker broker) {
        return client(broker.environment(), ADDRESS);
    }

    @Override
    protected int held(SquareClient client) {
        return ((PulsarSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((PulsarSquareClient) client).connected();
    }

    @Override
    protected ScriptedPeer peer() {
        return new Peer(broker().environment().get("PULSAR_URL"));
    }

    /** Reads both topics from the latest message on, and answers by a producer for each topic of replies. */
    private static final class Peer extends ScriptedPeer {

        private final PulsarClient client;
        private final Map<String, Producer<byte[]>> replies = new ConcurrentHashMap<>();
        private volatile Message<byte[]> last;

        Peer(String url) {
            try {
                client = PulsarClient.builder().serviceUrl(url).build();
                for (String topic : List.of(TOPIC, TOPIC + ".batch")) {
                    client.newReader()
                            .topic(topic)
                            .startMessageId(MessageId.latest)
                            .readerListener((reader, request) -> arrived(topic.endsWith(".batch"), request))
                            .create();
                }
            } catch (PulsarClientException e) {
                throw new AssertionError(e);
            }
        }

        private void arrived(boolean batch, Message<byte[]> request) {
            last = request;
            arrived(new Request(batch, inputsOf(batch, request.getData()), request));
        }

        private TypedMessageBuilder<byte[]> reply(Message<byte[]> request) {
            return replies.computeIfAbsent(request.getProperty("reply_topic"), this::producer)
                    .newMessage()
                    .property("correlation_id", request.getProperty("correlation_id"));
        }

        private Producer<byte[]> producer(String topic) {
            try {
                return client.newProducer().topic(topic).enableBatching(false).create();
            } catch (PulsarClientException e) {
                throw new AssertionError(e);
            }
        }

        private final class Request implements Received {

            private final boolean batch;
            private final List<Input> inputs;
            private final Message<byte[]> request;

            Request(boolean batch, List<Input> inputs, Message<byte[]> request) {
                this.batch = batch;
                this.inputs = inputs;
                this.request = request;
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
            public void square(int number, long square) {
                outputs(List.of(
                        Output.newBuilder().setNumber(number).setResult(square).build()));
            }

            @Override
            public void outputs(List<Output> outputs) {
                bytes(body(batch, outputs));
            }

            @Override
            public byte[] rightBody() {
                return body(batch, rightOutputs());
            }

            @Override
            public void bytes(byte[] body) {
                reply(request).value(body).sendAsync();
            }

            @Override
            public void error(String reason) {
                reply(request)
                        .value(new byte[0])
                        .property("chatterbox_error", reason)
                        .property("chatterbox_error_code", "500")
                        .sendAsync();
            }
        }

        @Override
        public void replyForNobody() {
            reply(last).property("correlation_id", "zzzzzz").value(new byte[0]).sendAsync();
        }

        /** Without waiting for the library's threads, which take two seconds to end. */
        @Override
        public void close() {
            client.closeAsync();
        }
    }
}
