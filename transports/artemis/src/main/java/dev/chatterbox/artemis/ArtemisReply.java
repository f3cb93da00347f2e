package dev.chatterbox.artemis;

import dev.chatterbox.responder.MessageReply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.WorkSpan;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;

/**
 * A reply to a queue, which is sent without waiting for the broker.
 *
 * @param session used for replies only; guarded by {@code producer}, because only one thread at a time may use it
 * @param producer has no address, because each reply has its own
 * @param replyTo the queue, with or without the {@code queue://} or {@code temp-queue://} that JMS writes before it
 * @param correlationId the reply repeats it, whatever its type; null if the reply queue already identifies the request
 * @param span of the work on the request; null if the call is not traced
 */
record ArtemisReply(
        ClientSession session,
        ClientProducer producer,
        String replyTo,
        @Nullable Object correlationId,
        @Nullable WorkSpan span,
        SquareResponder responder)
        implements MessageReply {

    /** A message of bytes, as JMS expects it. It is not durable, because its requester's queue is not either. */
    @Override
    public void send(Map<String, String> properties, byte[] body) {
        ClientMessage reply = session.createMessage(Message.BYTES_TYPE, false);
        if (correlationId != null) {
            reply.setCorrelationID(correlationId);
        }
        properties.forEach(reply::putStringProperty);
        reply.getBodyBuffer().writeBytes(body);
        String address = withoutPrefix(withoutPrefix(replyTo, "queue://"), "temp-queue://");
        if (address.indexOf('*') >= 0 || address.indexOf('#') >= 0) {
            // The broker would log an exception for each.
            responder.undeliverable("the reply queue's name is none that a queue can have");
            return;
        }
        try {
            synchronized (producer) {
                producer.send(address, reply);
            }
        } catch (ActiveMQException | RuntimeException e) {
            responder.undeliverable(String.valueOf(e.getMessage()));
        }
    }

    private static String withoutPrefix(String address, String prefix) {
        return address.startsWith(prefix) ? address.substring(prefix.length()) : address;
    }
}
