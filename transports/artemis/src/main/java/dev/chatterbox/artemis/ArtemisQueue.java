package dev.chatterbox.artemis;

import dev.chatterbox.queue.BlockingPublisher;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSide;
import dev.chatterbox.queue.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange {@code queue} over Artemis: a durable queue of its own, and messages that the broker acknowledges when it
 * has them, or, if they are durable, when they are in its journal on the disk. Consumers acknowledge in batches. A topic
 * is an address, in which each group has a queue.
 */
public final class ArtemisQueue implements QueueConnection {

    private static final Logger log = LoggerFactory.getLogger(ArtemisQueue.class);

    /**
     * The client hears of acknowledgements only if it keeps what is not acknowledged: so many bytes. That is for the side
     * that publishes. A connection with such a window may be taken up again, so the broker does not take its end for an
     * end, and its consumers would keep what they have until the connection's time to live is over.
     */
    private static final int CONFIRMATION_WINDOW = 10 << 20;

    private static final int NO_CONFIRMATIONS = -1;

    private static final int ACK_BATCH = 16 << 10;

    private final ArtemisConnection connection;
    private final String queue;
    private final boolean durable;
    private final QueueListener listener;
    private final ClientSession messages;
    private final ClientSession telling;
    private Spread spread = Spread.NONE;
    private List<String> topics = List.of();

    /** One for each topic. */
    private List<ClientProducer> producers = List.of();

    /** Its monitor guards its session, too. */
    private final ClientProducer teller;

    /**
     * @param address the queue of requests
     * @param durable whether the broker stores messages; the requester's is used
     */
    public ArtemisQueue(String url, QueueSide side, String address, boolean durable, QueueListener listener)
            throws ActiveMQException {
        this.durable = durable;
        this.listener = listener;
        queue = QueueSide.queue(address);
        connection = new ArtemisConnection(
                url,
                options -> options.setBlockOnDurableSend(false)
                        .setAckBatchSize(ACK_BATCH)
                        .setConfirmationWindowSize(
                                side == QueueSide.REQUESTER ? CONFIRMATION_WINDOW : NO_CONFIRMATIONS));
        try {
            messages = connection.session();
            telling = connection.session();
            makeAddress(side.hears(queue));
            String tells = side.tells(queue);
            makeAddress(tells);
            teller = telling.createProducer(tells);
            hear(side.hears(queue));
        } catch (ActiveMQException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Opens one for the requester whose messages are durable, and whose {@code send()} waits until the broker has stored
     * the message, as it does by default.
     */
    public static QueueConnection openBlocking(String url, String address, QueueListener listener)
            throws ActiveMQException {
        ArtemisQueue open = new ArtemisQueue(url, QueueSide.REQUESTER, address, true, listener);
        try {
            return new BlockingPublisher(open, new BlockingSend(url), listener);
        } catch (ActiveMQException | RuntimeException e) {
            open.close();
            throw e;
        }
    }

    private void makeAddress(String address) throws ActiveMQException {
        try {
            telling.createAddress(SimpleString.of(address), RoutingType.MULTICAST, false);
        } catch (ActiveMQException e) {
            if (e.getType() != ActiveMQExceptionType.ADDRESS_EXISTS) {
                throw e;
            }
        }
    }

    /** Each process has a queue of its own for what all are told. */
    private void hear(String address) throws ActiveMQException {
        ClientSession hearing = connection.receivingSession(true);
        SimpleString own = SimpleString.of(address + "." + UUID.randomUUID());
        hearing.createQueue(QueueConfiguration.of(own)
                .setAddress(address)
                .setRoutingType(RoutingType.MULTICAST)
                .setDurable(false)
                .setTemporary(true));
        hearing.createConsumer(own).setMessageHandler(told -> listener.told(ArtemisConnection.body(told)));
        hearing.start();
    }

    @Override
    public void make(Spread made, boolean empty) throws Exception {
        spread = made;
        topics = made.topics(queue);
        if (empty) {
            remove();
        }
        List<ClientProducer> open = new ArrayList<>();
        for (String topic : topics) {
            for (int group = 0; group < made.groups(); group++) {
                ArtemisConnection.makeQueue(
                        messages,
                        QueueConfiguration.of(made.group(topic, group))
                                .setAddress(topic)
                                .setRoutingType(made.groups() == 1 ? RoutingType.ANYCAST : RoutingType.MULTICAST));
            }
            open.add(messages.createProducer(topic));
        }
        producers = List.copyOf(open);
    }

    @Override
    public void remove() throws Exception {
        for (ClientProducer producer : producers) {
            producer.close();
        }
        for (String topic : topics) {
            // Also those of an earlier run, which may have had more groups.
            for (SimpleString one :
                    messages.addressQuery(SimpleString.of(topic)).getQueueNames()) {
                messages.deleteQueue(one);
            }
        }
    }

    /** Whether a message goes to several queues. */
    public boolean isMulticast() {
        return spread.groups() > 1;
    }

    @Override
    public List<String> topics() {
        return topics;
    }

    @Override
    public boolean isAcknowledged() {
        return true;
    }

    @Override
    public void publish(int number, byte[] body) throws Exception {
        ClientMessage message = messages.createMessage(Message.BYTES_TYPE, durable);
        message.getBodyBuffer().writeBytes(body);
        producers.get(number % producers.size()).send(message, new SendAcknowledgementHandler() {
            @Override
            public void sendAcknowledged(Message sent) {
                listener.acknowledged(number);
            }

            @Override
            public void sendFailed(Message sent, Exception e) {
                listener.refused(number);
            }
        });
    }

    @Override
    public AutoCloseable consume(Spread of, int group, int consumers, Consumer<byte[]> taken) throws Exception {
        List<ClientSession> sessions = new ArrayList<>();
        try {
            for (int i = 0; i < consumers; i++) {
                ClientSession session = connection.receivingSession(false);
                sessions.add(session);
                for (String topic : of.topics(queue)) {
                    session.createConsumer(of.group(topic, group)).setMessageHandler(message -> take(message, taken));
                }
                session.start();
            }
        } catch (ActiveMQException | RuntimeException e) {
            close(sessions);
            throw e;
        }
        return () -> close(sessions);
    }

    private static void close(List<ClientSession> sessions) throws ActiveMQException {
        for (ClientSession session : sessions) {
            session.close();
        }
    }

    private static void take(ClientMessage message, Consumer<byte[]> taken) {
        taken.accept(ArtemisConnection.body(message));
        try {
            message.acknowledge();
        } catch (ActiveMQException e) {
            log.debug("The connection is gone: the message comes again", e);
        }
    }

    @Override
    public void tell(byte[] body) throws Exception {
        synchronized (teller) {
            ClientMessage message = telling.createMessage(Message.BYTES_TYPE, false);
            message.getBodyBuffer().writeBytes(body);
            teller.send(message);
        }
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        connection.awaitEnd();
    }

    @Override
    public void close() {
        connection.close();
    }
}
