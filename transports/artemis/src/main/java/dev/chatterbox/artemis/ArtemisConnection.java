package dev.chatterbox.artemis;

import dev.chatterbox.connection.BrokerConnection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * One connection to the broker by the core client, until it breaks. The client's own {@code reconnectAttempts} stay 0:
 * with them every sender would wait until the broker is back. Only one thread at a time may use a session.
 */
public record ArtemisConnection(ServerLocator locator, ClientSessionFactory factory, CountDownLatch broken)
        implements BrokerConnection {

    /** After so many ms without an answer the client gives the broker up: less than the default deadline of a call. */
    private static final long CALL_TIMEOUT = 3_000;

    /**
     * After so many ms without a sign of life, each side takes the other one to be gone. The broker then gives the
     * responder's unacknowledged messages to others. The defaults of this and the next constant are 60,000 and 30,000.
     */
    private static final long CONNECTION_TTL = 10_000;

    private static final long FAILURE_CHECK = 5_000;

    /** The first size of a message's buffer, in bytes. By default 1500. */
    private static final int MESSAGE_BYTES = 256;

    /**
     * So many bytes of messages, about a hundred small ones, are acknowledged at once; by default a megabyte. If their
     * receiver dies, those that it has taken but not acknowledged come again.
     */
    static final int ACK_BATCH = 16 << 10;

    private static final Pattern ADDRESS = Pattern.compile("(\\w+://)(?:[^/?,)]*@)?([\\w.:\\[\\]-]+)");

    /** @param options sets options in addition to those that requester and responder share */
    public static ArtemisConnection open(String url, UnaryOperator<ServerLocator> options) throws ActiveMQException {
        ServerLocator locator;
        try {
            locator = options.apply(ActiveMQClient.createServerLocator(url)
                    // With pools of its own, its threads end with it.
                    .setUseGlobalPools(false)
                    .setCallTimeout(CALL_TIMEOUT)
                    .setConnectionTTL(CONNECTION_TTL)
                    .setClientFailureCheckPeriod(FAILURE_CHECK)
                    .setInitialMessagePacketSize(MESSAGE_BYTES)
                    // By default send() waits until the broker has granted 64 KB more, and a responder sends on the
                    // thread that receives its requests. Here the limits of calls in flight bound what is sent.
                    .setProducerWindowSize(-1));
        } catch (Exception e) {
            // The cause repeats the URL, which may hold a password.
            throw new ActiveMQException(ActiveMQExceptionType.NOT_CONNECTED, "the URL cannot be read");
        }
        try {
            return new ArtemisConnection(locator, locator.createSessionFactory(), new CountDownLatch(1));
        } catch (Exception e) {
            locator.close();
            throw new ActiveMQException(ActiveMQExceptionType.NOT_CONNECTED, String.valueOf(e.getMessage()), e);
        }
    }

    /** The addresses in a URL, for people: its parameters may hold passwords. */
    public static String addresses(String url) {
        return ADDRESS.matcher(url)
                .results()
                .map(address -> address.group(1) + address.group(2))
                .collect(Collectors.joining(","));
    }

    /** A session that sends, or asks the broker. */
    public ClientSession session() throws ActiveMQException {
        return factory.createSession();
    }

    /**
     * A session that receives; its failure ends this connection.
     *
     * @param preAcknowledge whether the broker acknowledges messages as it delivers them
     */
    public ClientSession receivingSession(boolean preAcknowledge) throws ActiveMQException {
        ClientSession session = factory.createSession(false, true, true, preAcknowledge);
        session.addFailoverListener(event -> broken.countDown());
        return session;
    }

    /**
     * Makes the queue of requests if it is missing. Requester and responder both do so, because either may come first,
     * and the broker drops a message to a queue that does not exist. The queue is durable, because it must exist when
     * the broker comes back; its messages may be durable or not.
     */
    public static void makeQueue(ClientSession session, SimpleString queue) throws ActiveMQException {
        makeQueue(session, QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
    }

    static void makeQueue(ClientSession session, QueueConfiguration queue) throws ActiveMQException {
        try {
            session.createQueue(queue);
        } catch (ActiveMQException e) {
            if (e.getType() != ActiveMQExceptionType.QUEUE_EXISTS) {
                throw e;
            }
        }
    }

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

    /** Waits for the end of the connection or of a consumer, which the broker closes when somebody deletes its queue. */
    public void awaitEnd(ClientConsumer consumer) throws InterruptedException {
        boolean ended = false;
        while (!ended && !consumer.isClosed()) {
            ended = broken.await(1, TimeUnit.SECONDS);
        }
    }

    /** Closes without a message to the broker, which notices the end of the connection. */
    @Override
    public void close() {
        factory.cleanup();
        locator.close();
    }
}
