package dev.chatterbox.artemis;

import dev.chatterbox.connection.BrokerConnection;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;

/**
 * One connection to the broker by the core client, until it breaks. The client's own {@code reconnectAttempts} stay 0:
 * they would hold whoever sends until the broker is back. A session serves one thread at a time.
 */
public final class ArtemisConnection implements BrokerConnection {

    /** A broker that does not answer is given up after so long, in ms: less than the deadline of a call by default. */
    private static final long CALL_TIMEOUT = 3_000;

    /**
     * After so many ms without a sign of life either side takes the other to be gone: the broker gives what a responder
     * took to others. By default 60,000 and 30,000.
     */
    private static final long CONNECTION_TTL = 10_000;

    private static final long FAILURE_CHECK = 5_000;

    /** Bytes that a message is made with. By default 1500. */
    private static final int MESSAGE_BYTES = 256;

    private final ServerLocator locator;
    private final ClientSessionFactory factory;
    private final CountDownLatch broken = new CountDownLatch(1);

    /** @param options besides those that requester and responder share */
    public ArtemisConnection(String url, UnaryOperator<ServerLocator> options) throws ActiveMQException {
        try {
            locator = options.apply(ActiveMQClient.createServerLocator(url)
                    // Its threads end with it.
                    .setUseGlobalPools(false)
                    .setCallTimeout(CALL_TIMEOUT)
                    .setConnectionTTL(CONNECTION_TTL)
                    .setClientFailureCheckPeriod(FAILURE_CHECK)
                    .setInitialMessagePacketSize(MESSAGE_BYTES)
                    // By default send() waits until the broker has granted 64 KB more, on the thread that brings what
                    // is to be answered; the limits of calls in flight are what bounds them here.
                    .setProducerWindowSize(-1));
        } catch (Exception e) {
            throw new ActiveMQException(ActiveMQExceptionType.NOT_CONNECTED, "the URL cannot be read: " + e, e);
        }
        try {
            factory = locator.createSessionFactory();
        } catch (Exception e) {
            locator.close();
            throw new ActiveMQException(ActiveMQExceptionType.NOT_CONNECTED, String.valueOf(e.getMessage()), e);
        }
    }

    /** A session that sends, or asks the broker. */
    public ClientSession session() throws ActiveMQException {
        return factory.createSession();
    }

    /**
     * A session that receives, and whose failure is the end of this connection.
     *
     * @param preAcknowledge whether the broker acknowledges messages as it delivers them
     */
    public ClientSession receivingSession(boolean preAcknowledge) throws ActiveMQException {
        ClientSession session = factory.createSession(false, true, true, preAcknowledge);
        session.addFailureListener(new Failure());
        return session;
    }

    /**
     * Makes the queue of requests where it is missing. Requester and responder both do, for whoever comes first: what is
     * sent to a queue that is not there is dropped. It is durable, for it must be there when the broker comes back; what
     * it holds may be durable or not.
     */
    public static void makeQueue(ClientSession session, SimpleString queue) throws ActiveMQException {
        try {
            session.createQueue(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
        } catch (ActiveMQException e) {
            if (e.getType() != ActiveMQExceptionType.QUEUE_EXISTS) {
                throw e;
            }
        }
    }

    /** The body of a message that has come. */
    public static byte[] body(ClientMessage message) {
        byte[] body = new byte[message.getBodyBuffer().readableBytes()];
        message.getBodyBuffer().readBytes(body);
        return body;
    }

    /** Bytes from which on a message is large: it then travels in parts, through files of the broker. */
    public int largeMessageBytes() {
        return locator.getMinLargeMessageSize();
    }

    public boolean isBroken() {
        return broken.getCount() == 0;
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        broken.await();
    }

    /** Without a word to the broker, which sees the connection's end. */
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
