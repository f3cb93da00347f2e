package dev.chatterbox.artemis;

import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueConsumer;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueListener.Answer;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.queue.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One-way messages over Artemis: a durable queue, and messages that the broker acknowledges when it has them, or, if
 * they are durable, when they are in its journal on the disk. Consumers acknowledge in batches. A topic is an address,
 * in which each group has a queue. A variant's settings: {@code url}, and {@code durable}, whether the broker stores
 * messages.
 */
public class ArtemisQueue extends QueueConnection {

    private static final Logger log = LoggerFactory.getLogger(ArtemisQueue.class);

    /**
     * The client hears of acknowledgements only if it keeps what is not acknowledged: so many bytes. A connection with
     * such a window may be taken up again, so the broker does not take its end for an end. Consumers have another
     * connection: theirs would keep what they have until the connection's time to live is over.
     */
    private static final int CONFIRMATION_WINDOW = 10 << 20;

    @SuppressWarnings("NullAway.Init")
    private ArtemisConnection consuming;

    @SuppressWarnings("NullAway.Init")
    private ClientSession messages;

    /** One for each topic. */
    private List<ClientProducer> producers = List.of();

    public ArtemisQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
    }

    @Override
    public void open() throws ActiveMQException {
        consuming = connect(options -> options.setAckBatchSize(ArtemisConnection.ACK_BATCH));
        messages = connect(
                        options -> options.setBlockOnDurableSend(false).setConfirmationWindowSize(CONFIRMATION_WINDOW))
                .session();
    }

    /** Opens a connection that lasts as long as this one. */
    final ArtemisConnection connect(UnaryOperator<ServerLocator> options) throws ActiveMQException {
        ArtemisConnection connection = ArtemisConnection.open(settings.client("url"), options);
        atClose(connection::close);
        return connection;
    }

    @Override
    protected void make(Spread newSpread) throws Exception {
        List<ClientProducer> open = new ArrayList<>();
        for (String topic : topics()) {
            for (int group = 0; group < newSpread.groups(); group++) {
                ArtemisConnection.makeQueue(
                        messages,
                        QueueConfiguration.of(newSpread.group(topic, group))
                                .setAddress(topic)
                                .setRoutingType(newSpread.groups() == 1 ? RoutingType.ANYCAST : RoutingType.MULTICAST));
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
        for (String topic : topics()) {
            // Also those of an earlier time, which may have had more groups.
            for (SimpleString queue :
                    messages.addressQuery(SimpleString.of(topic)).getQueueNames()) {
                messages.deleteQueue(queue);
            }
        }
    }

    /** Whether a message goes to several queues. */
    protected boolean isMulticast() {
        return spread().groups() > 1;
    }

    @Override
    public void publish(int number, byte[] body) throws Exception {
        ClientMessage message = messages.createMessage(Message.BYTES_TYPE, settings.isOn("durable"));
        message.getBodyBuffer().writeBytes(body);
        producers.get(number % producers.size()).send(message, new SendAcknowledgementHandler() {
            @Override
            public void sendAcknowledged(Message sent) {
                listener.answered(number, Answer.ACKNOWLEDGED);
            }

            @Override
            public void sendFailed(Message sent, Exception e) {
                listener.answered(number, Answer.REFUSED);
            }
        });
    }

    @Override
    protected QueueConsumer consumer(Spread of, int group, Consumer<byte[]> handler) throws ActiveMQException {
        ClientSession session = consuming.receivingSession(false);
        for (String topic : of.topics(settings.queue())) {
            session.createConsumer(of.group(topic, group)).setMessageHandler(message -> take(message, handler));
        }
        session.start();
        return session::close;
    }

    private static void take(ClientMessage message, Consumer<byte[]> handler) {
        handler.accept(ArtemisConnection.body(message));
        try {
            message.acknowledge();
        } catch (ActiveMQException e) {
            log.debug("The connection is gone: the message comes again", e);
        }
    }

    /** Both connections are to the same broker. That of the producers has no listener for its end. */
    @Override
    public void awaitEnd() throws InterruptedException {
        consuming.awaitEnd();
    }
}
