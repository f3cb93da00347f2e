package dev.chatterbox.artemis;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.BrokerClientContract;
import dev.chatterbox.client.ScriptedPeer;
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

/** What the clients of the Artemis responder have in common. */
abstract class ArtemisContract extends BrokerClientContract {

    /** The queue of the peer. */
    private static final String QUEUE = "square.requests.kit";

    private static final byte BYTES = 4;

    ArtemisContract() {
        super(new Wiring("ARTEMIS_URL", "client.url", "tcp://localhost:%d", Map.of("address.queue", QUEUE)));
    }

    @Override
    protected ScriptedPeer peer(String url) {
        return new Peer(url);
    }

    /** The broker also has the queue that a responder would have made. */
    @Override
    protected RunningBroker brokerOfItsOwn() {
        RunningBroker broker = super.brokerOfItsOwn();
        new Peer(url(broker)).close();
        return broker;
    }

    /** How many wait in the peer's queue. */
    final long messages(RunningBroker broker) {
        try (ServerLocator locator =
                        ActiveMQClient.createServerLocator(url(broker)).setUseGlobalPools(false);
                ClientSession session = locator.createSessionFactory().createSession()) {
            return session.queueQuery(SimpleString.of(QUEUE)).getMessageCount();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Uses one session, which receives on its own thread and sends on the test's thread, one at a time. */
    static final class Peer extends ScriptedPeer {

        private final ServerLocator locator;
        private final ClientSession replies;
        private final ClientProducer producer;
        private volatile ClientMessage last;

        Peer(String url) {
            this(url, false);
        }

        /** @param keeps whether this peer receives messages that an earlier peer has left */
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
                arrived(new Request(request));
            } catch (ActiveMQException e) {
                throw new AssertionError(e);
            }
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

        private final class Request extends MessageReceived {

            private final ClientMessage request;

            Request(ClientMessage request) {
                super(false, ArtemisConnection.body(request));
                this.request = request;
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
