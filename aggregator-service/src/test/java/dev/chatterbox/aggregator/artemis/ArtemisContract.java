package dev.chatterbox.aggregator.artemis;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.SharedBrokers;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.brokers.ArtemisBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.rows.Row;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.junit.jupiter.api.Tag;
import org.springframework.mock.env.MockEnvironment;

/** What the clients of the Artemis responder have in common. */
@Tag("long")
abstract class ArtemisContract extends SquareClientContract {

    /** The peer's, so that nobody else's calls reach it. */
    private static final String QUEUE = "square.requests.kit";

    private static final byte BYTES = 4;

    private static final Map<String, String> ADDRESS = Map.of("address.queue", QUEUE);

    abstract SquareClient client(Row row, ClientSettings settings);

    String url() {
        return url(SharedBrokers.of(TestRows.find(row())));
    }

    private static String url(RunningBroker broker) {
        return broker.environment().get("ARTEMIS_URL");
    }

    @Override
    protected SquareClient client() {
        return client(url(), ADDRESS);
    }

    private SquareClient client(String url, Map<String, String> address) {
        Map<String, String> values = new HashMap<>(address);
        values.put("client.url", url);
        Row row = TestRows.with("artemis", values).find(row()).orElseThrow();
        return client(row, new ClientSettings(row, new MockEnvironment()));
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        Row row = TestRows.find(row());
        open(RealResponder.start(row, SharedBrokers.of(row).environment()));
        return client(url(), Map.of());
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client("tcp://localhost:" + Ports.free(1).get(0), ADDRESS);
    }

    /** With the queue that a responder would have made. */
    @Override
    protected RunningBroker brokerOfItsOwn() {
        RunningBroker broker = new ArtemisBroker().start();
        new Peer(url(broker)).close();
        return broker;
    }

    @Override
    protected SquareClient clientOf(RunningBroker broker) {
        return client(url(broker), ADDRESS);
    }

    /** How many wait in the peer's queue. */
    static long messages(RunningBroker broker) {
        try (ServerLocator locator =
                        ActiveMQClient.createServerLocator(url(broker)).setUseGlobalPools(false);
                ClientSession session = locator.createSessionFactory().createSession()) {
            return session.queueQuery(SimpleString.of(QUEUE)).getMessageCount();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected ScriptedPeer peer() {
        return new Peer(url());
    }

    /** On one session, which receives on a thread of its own and sends on the test's, one at a time. */
    static final class Peer extends ScriptedPeer {

        private final ServerLocator locator;
        private final ClientSession replies;
        private final ClientProducer producer;
        private volatile ClientMessage last;

        Peer(String url) {
            this(url, false);
        }

        /** @param keeps whether what an earlier peer has left comes to this one */
        Peer(String url, boolean keeps) {
            try {
                locator = ActiveMQClient.createServerLocator(url).setUseGlobalPools(false);
                ClientSessionFactory connection = locator.createSessionFactory();
                ClientSession requests = connection.createSession();
                SimpleString queue = SimpleString.of(QUEUE);
                boolean exists = requests.queueQuery(queue).isExists();
                if (exists && !keeps) {
                    requests.deleteQueue(queue);
                }
                if (!exists || !keeps) {
                    requests.createQueue(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
                }
                requests.createConsumer(queue).setMessageHandler(this::arrived);
                requests.start();
                replies = connection.createSession();
                producer = replies.createProducer();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private void arrived(ClientMessage request) {
            last = request;
            try {
                request.acknowledge();
                arrived(new Request(Input.parseFrom(body(request)).getNumber(), request));
            } catch (ActiveMQException | InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }

        private static byte[] body(ClientMessage message) {
            byte[] body = new byte[message.getBodyBuffer().readableBytes()];
            message.getBodyBuffer().readBytes(body);
            return body;
        }

        private synchronized void reply(ClientMessage request, long shift, byte[] body, Consumer<ClientMessage> more) {
            ClientMessage reply = replies.createMessage(BYTES, false);
            if (request.getObjectProperty("JMSCorrelationID") instanceof Long id) {
                reply.putLongProperty("JMSCorrelationID", id + shift);
            }
            reply.getBodyBuffer().writeBytes(body);
            more.accept(reply);
            try {
                producer.send(request.getStringProperty("JMSReplyTo").replaceFirst("^(temp-)?queue://", ""), reply);
            } catch (ActiveMQException e) {
                throw new AssertionError(e);
            }
        }

        private final class Request implements Received {

            private final int number;
            private final ClientMessage request;

            Request(int number, ClientMessage request) {
                this.number = number;
                this.request = request;
            }

            @Override
            public int number() {
                return number;
            }

            @Override
            public void square(int number, long square) {
                Output output =
                        Output.newBuilder().setNumber(number).setResult(square).build();
                reply(request, 0, output.toByteArray(), reply -> {});
            }

            @Override
            public void error(String reason) {
                reply(request, 0, new byte[0], reply -> {
                    reply.putStringProperty("chatterbox_error", reason);
                    reply.putIntProperty("chatterbox_error_code", 500);
                });
            }

            @Override
            public void bytes(byte[] body) {
                reply(request, 0, body, reply -> {});
            }
        }

        @Override
        public void replyForNobody() {
            reply(last, 1 << 20, new byte[0], reply -> {});
        }

        @Override
        public void close() {
            locator.close();
        }
    }
}
