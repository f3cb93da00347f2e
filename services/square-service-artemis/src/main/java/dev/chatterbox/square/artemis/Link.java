package dev.chatterbox.square.artemis;

import com.google.protobuf.MessageLite;
import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
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
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.apache.activemq.artemis.reader.MessageUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the broker, until it breaks: a session that receives, on whose thread requests are answered one
 * after the other, and a session that replies, for a session serves one thread at a time and a delayed answer comes on
 * another.
 */
final class Link implements AutoCloseable {

    /** A broker that does not answer is given up after so long, in ms; closing takes no longer than this. */
    private static final long CALL_TIMEOUT = 3_000;

    /**
     * After so many ms without a word the other side is taken to be gone: the broker gives what this responder took to
     * others, and this responder connects anew. By default 60,000 and 30,000.
     */
    private static final long CONNECTION_TTL = 10_000;

    private static final long FAILURE_CHECK = 5_000;

    /**
     * Bytes of requests that are acknowledged at once, about a hundred requests; by default a megabyte. What a
     * responder that dies has answered and not acknowledged is answered again.
     */
    private static final int ACK_BATCH = 16 << 10;

    /** Bytes that a reply is made with. By default 1500. */
    private static final int REPLY_BYTES = 256;

    private static final Logger log = LoggerFactory.getLogger(Link.class);

    private final ServerLocator locator;
    private final SquareResponder responder;
    private final ClientSession requests;
    private final ClientConsumer consumer;
    private final Replies replies;
    private final CountDownLatch broken = new CountDownLatch(1);

    static Link open(String url, String queue, SquareResponder responder) throws ActiveMQException {
        ServerLocator locator = locator(url);
        try {
            return new Link(locator, queue, responder);
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
                    .setAckBatchSize(ACK_BATCH)
                    .setInitialMessagePacketSize(REPLY_BYTES)
                    // By default a reply waits, on the thread that answers, until the broker has granted 64 KB more.
                    .setProducerWindowSize(-1);
        } catch (Exception e) {
            throw new ActiveMQException(ActiveMQExceptionType.NOT_CONNECTED, "the URL cannot be read: " + e, e);
        }
    }

    private Link(ServerLocator locator, String queue, SquareResponder responder) throws ActiveMQException {
        this.locator = locator;
        this.responder = responder;
        ClientSessionFactory connection;
        try {
            connection = locator.createSessionFactory();
        } catch (ActiveMQException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ActiveMQException(ActiveMQExceptionType.NOT_CONNECTED, String.valueOf(e.getMessage()), e);
        }
        replies = new Replies(connection.createSession(), responder);
        requests = connection.createSession();
        requests.addFailureListener(new Failure());
        makeQueue(SimpleString.of(queue));
        consumer = requests.createConsumer(queue);
        consumer.setMessageHandler(this::answer);
        requests.start();
    }

    private void makeQueue(SimpleString queue) throws ActiveMQException {
        try {
            // Durable, for it must be there when the broker comes back; what it holds may be durable or not.
            requests.createQueue(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
        } catch (ActiveMQException e) {
            if (e.getType() != ActiveMQExceptionType.QUEUE_EXISTS) {
                throw e;
            }
        }
    }

    /** Runs on the session's thread, one request after the other. */
    private void answer(ClientMessage request) {
        Object replyTo = request.getObjectProperty(MessageUtil.REPLYTO_HEADER_NAME);
        Reply<MessageLite> reply = replyTo instanceof SimpleString
                ? replies.to(replyTo.toString(), request.getCorrelationID())
                : Reply.NOWHERE;
        if (reply == Reply.NOWHERE) {
            responder.refuse("it names no queue to reply to in " + MessageUtil.REPLYTO_HEADER_NAME, reply);
        } else if (request.isLargeMessage()) {
            responder.refuse("the body is larger than %d bytes".formatted(locator.getMinLargeMessageSize()), reply);
        } else {
            responder.answer(body(request), reply);
        }
        acknowledge(request);
    }

    private static byte[] body(ClientMessage message) {
        ActiveMQBuffer buffer = message.getBodyBuffer();
        byte[] body = new byte[buffer.readableBytes()];
        buffer.readBytes(body);
        return body;
    }

    /** Of a delayed answer, when its delay begins. */
    private static void acknowledge(ClientMessage request) {
        try {
            request.acknowledge();
        } catch (ActiveMQException e) {
            log.debug("The connection is gone: the request comes again", e);
        }
    }

    /** Returns when the connection has broken. */
    void awaitEnd() throws InterruptedException {
        broken.await();
    }

    @Override
    public void close() {
        try {
            if (broken.getCount() > 0) {
                consumer.close();
                requests.close();
                replies.close();
            }
        } catch (ActiveMQException e) {
            log.warn("Some requests may be answered twice: {}", e.getMessage());
        } finally {
            locator.close();
        }
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
