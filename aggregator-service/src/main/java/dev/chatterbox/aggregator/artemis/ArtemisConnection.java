package dev.chatterbox.aggregator.artemis;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.MessageHandler;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;

/**
 * One connection to the broker, until it breaks, with a temporary queue for replies. A session serves one thread at a
 * time, so there are three: one that sends, one that receives replies, one that asks.
 */
final class ArtemisConnection implements AutoCloseable {

    /** A broker that does not answer is given up after so long, in ms: less than the deadline of a call by default. */
    private static final long CALL_TIMEOUT = 3_000;

    /** After so many ms without a word either side takes the other to be gone. By default 60,000 and 30,000. */
    private static final long CONNECTION_TTL = 10_000;

    private static final long FAILURE_CHECK = 5_000;

    /** Bytes that a request is made with. By default 1500. */
    private static final int REQUEST_BYTES = 256;

    private static final byte PRIORITY = 4;

    private final ServerLocator locator;
    private final ClientSessionFactory factory;
    private final SimpleString queue;
    private final SimpleString replyTo;
    private final ClientSession questions;
    private final ClientSession requests;

    /** Guards its session, too. */
    private final ClientProducer producer;

    private final CountDownLatch broken = new CountDownLatch(1);

    static ArtemisConnection open(String url, String queue, MessageHandler replied) throws ActiveMQException {
        ServerLocator locator = locator(url);
        try {
            return new ArtemisConnection(locator, queue, replied);
        } catch (ActiveMQException | RuntimeException e) {
            locator.close();
            throw e;
        }
    }

    private static ServerLocator locator(String url) throws ActiveMQException {
        try {
            return ActiveMQClient.createServerLocator(url)
                    // Its threads end with it.
                    .setUseGlobalPools(false)
                    .setCallTimeout(CALL_TIMEOUT)
                    .setConnectionTTL(CONNECTION_TTL)
                    .setClientFailureCheckPeriod(FAILURE_CHECK)
                    .setInitialMessagePacketSize(REQUEST_BYTES)
                    // By default send() waits until the broker has granted 64 KB more, on the thread that brings the
                    // replies; here the limits of calls in flight are what bounds them.
                    .setProducerWindowSize(-1)
                    // By default send() waits for the broker's word that a durable message is stored.
                    .setBlockOnDurableSend(false);
        } catch (Exception e) {
            throw new ActiveMQException(ActiveMQExceptionType.NOT_CONNECTED, "the URL cannot be read: " + e, e);
        }
    }

    private ArtemisConnection(ServerLocator locator, String queue, MessageHandler replied) throws ActiveMQException {
        this.locator = locator;
        this.queue = SimpleString.of(queue);
        try {
            factory = locator.createSessionFactory();
        } catch (ActiveMQException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ActiveMQException(ActiveMQExceptionType.NOT_CONNECTED, String.valueOf(e.getMessage()), e);
        }
        questions = factory.createSession();
        makeQueue();
        // Acknowledged by the broker as it sends them: a reply whose requester dies is of no use to anybody.
        ClientSession replies = factory.createSession(false, true, true, true);
        replies.addFailureListener(new Failure());
        replyTo = SimpleString.of(queue + ".replies." + UUID.randomUUID());
        replies.createQueue(QueueConfiguration.of(replyTo)
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(false)
                .setTemporary(true));
        replies.createConsumer(replyTo).setMessageHandler(replied);
        replies.start();
        requests = factory.createSession();
        producer = requests.createProducer(this.queue);
    }

    /** As the responder does, for whoever comes first: what is sent to a queue that is not there is dropped. */
    private void makeQueue() throws ActiveMQException {
        try {
            questions.createQueue(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
        } catch (ActiveMQException e) {
            if (e.getType() != ActiveMQExceptionType.QUEUE_EXISTS) {
                throw e;
            }
        }
    }

    /**
     * Sends a request, without waiting for the broker. Safe for concurrent use.
     *
     * @param expiration when it is of no use any more, in ms since 1970 by the clock of this machine and the broker's
     */
    void send(long correlationId, byte[] body, boolean durable, long now, long expiration) throws ActiveMQException {
        ClientMessage request = requests.createMessage(Message.BYTES_TYPE, durable, expiration, now, PRIORITY);
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

    /** Returns when the connection has broken. */
    void awaitEnd() throws InterruptedException {
        broken.await();
    }

    /** Without a word to the broker, which sees the connection's end: nothing is stored here that could be lost. */
    @Override
    public void close() {
        factory.cleanup();
        locator.close();
    }

    private final class Failure implements SessionFailureListener {

        @Override
        public void connectionFailed(ActiveMQException exception, boolean failedOver) {
            broken.countDown();
        }

        @Override
        public void connectionFailed(ActiveMQException exception, boolean failedOver, String scaleDownTargetNodeId) {
            connectionFailed(exception, failedOver);
        }

        @Override
        public void beforeReconnect(ActiveMQException exception) {}
    }
}
