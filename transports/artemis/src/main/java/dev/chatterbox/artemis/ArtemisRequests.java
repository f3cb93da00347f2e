package dev.chatterbox.artemis;

import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Opening;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.traces.WorkSpan;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.reader.MessageUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that brings requests. One session receives them, and its thread answers them one after the other. A
 * second session replies, because delayed answers come on another thread.
 *
 * @param replies used for replies only; guarded by {@code producer}, because only one thread at a time may use it
 * @param producer has no address, because each reply has its own
 */
record ArtemisRequests(
        ArtemisConnection connection,
        SquareResponder responder,
        ClientSession requests,
        ClientConsumer consumer,
        ClientSession replies,
        ClientProducer producer)
        implements BrokerConnection {

    private static final Logger log = LoggerFactory.getLogger(ArtemisRequests.class);

    static ArtemisRequests open(String url, String queue, SquareResponder responder) throws Exception {
        ArtemisConnection connection =
                ArtemisConnection.open(url, options -> options.setAckBatchSize(ArtemisConnection.ACK_BATCH));
        return Opening.orClose(connection, () -> {
            ClientSession replies = connection.session();
            ClientSession requests = connection.receivingSession(false);
            ArtemisConnection.makeQueue(requests, SimpleString.of(queue));
            ArtemisRequests opened = new ArtemisRequests(
                    connection, responder, requests, requests.createConsumer(queue), replies, replies.createProducer());
            opened.consumer.setMessageHandler(opened::answer);
            requests.start();
            return opened;
        });
    }

    /** Runs on the session's thread, one request after the other. */
    private void answer(ClientMessage request) {
        Object replyTo = request.getObjectProperty(MessageUtil.REPLYTO_HEADER_NAME);
        if (replyTo instanceof SimpleString) {
            WorkSpan span = responder.trace(text(request.getObjectProperty(Traces.PARENT)));
            answer(request, new ArtemisReply(this, replyTo.toString(), request.getCorrelationID(), span));
        } else {
            responder.refuse("it names no queue to reply to in " + MessageUtil.REPLYTO_HEADER_NAME, Reply.NOWHERE);
        }
        acknowledge(request);
    }

    private void answer(ClientMessage request, ArtemisReply reply) {
        if (request.isLargeMessage()) {
            responder.refuse("the body is larger than %d bytes".formatted(connection.largeMessageBytes()), reply);
        } else {
            responder.answer(ArtemisConnection.body(request), reply);
        }
    }

    /** A client that is not ours may send a property of any type. */
    private static @Nullable String text(@Nullable Object property) {
        return property instanceof SimpleString text ? text.toString() : null;
    }

    /** A delayed answer's request is acknowledged when its delay begins. */
    private static void acknowledge(ClientMessage request) {
        try {
            request.acknowledge();
        } catch (ActiveMQException e) {
            log.debug("The connection is gone: the request comes again", e);
        }
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        connection.awaitEnd(consumer);
    }

    /** Takes no more requests, answers the current one, and gives the others back to the queue. */
    @Override
    public void close() {
        try {
            if (!connection.isBroken()) {
                consumer.close();
                requests.close();
                synchronized (producer) {
                    replies.close();
                }
            }
        } catch (ActiveMQException e) {
            log.warn("Some requests may be answered twice: {}", e.getMessage());
        } finally {
            connection.close();
        }
    }
}
