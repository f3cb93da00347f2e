package dev.chatterbox.aggregator.artemis;

import dev.chatterbox.artemis.ArtemisConnection;
import dev.chatterbox.connection.BrokerConnection;
import java.util.UUID;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.MessageHandler;

/** A connection with a temporary queue for replies: a session sends, one receives replies, one asks the broker. */
final class ArtemisRequester implements BrokerConnection {

    private static final byte PRIORITY = 4;

    private final ArtemisConnection connection;
    private final SimpleString queue;
    private final SimpleString replyTo;
    private final ClientSession questions;
    private final ClientSession requests;

    /** Guards its session, too. */
    private final ClientProducer producer;

    /** @param replied takes replies, on the receiving session's thread */
    static ArtemisRequester open(String url, String queue, MessageHandler replied) throws ActiveMQException {
        // By default send() waits until the broker says that a durable message is stored.
        ArtemisConnection connection = new ArtemisConnection(url, options -> options.setBlockOnDurableSend(false));
        try {
            return new ArtemisRequester(connection, SimpleString.of(queue), replied);
        } catch (ActiveMQException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private ArtemisRequester(ArtemisConnection connection, SimpleString queue, MessageHandler replied)
            throws ActiveMQException {
        this.connection = connection;
        this.queue = queue;
        questions = connection.session();
        ArtemisConnection.makeQueue(questions, queue);
        // Acknowledged by the broker as it delivers them: a reply whose requester dies is of no use to anybody.
        ClientSession replies = connection.receivingSession(true);
        replyTo = SimpleString.of(queue + ".replies." + UUID.randomUUID());
        replies.createQueue(QueueConfiguration.of(replyTo)
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(false)
                .setTemporary(true));
        replies.createConsumer(replyTo).setMessageHandler(replied);
        replies.start();
        requests = connection.session();
        producer = requests.createProducer(queue);
    }

    /**
     * Sends a request, without waiting for the broker. Safe for concurrent use.
     *
     * @param timeoutMillis after which the broker drops it, by the clocks of this machine and the broker's
     */
    void send(long correlationId, byte[] body, boolean durable, long timeoutMillis) throws ActiveMQException {
        long now = System.currentTimeMillis();
        ClientMessage request = requests.createMessage(Message.BYTES_TYPE, durable, now + timeoutMillis, now, PRIORITY);
        request.setReplyTo(replyTo);
        request.setCorrelationID(correlationId);
        request.getBodyBuffer().writeBytes(body);
        synchronized (producer) {
            producer.send(request);
        }
    }

    /** How many consume from the queue; asks the broker, and waits for its answer. */
    int responders() throws ActiveMQException {
        synchronized (questions) {
            return questions.queueQuery(queue).getConsumerCount();
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
