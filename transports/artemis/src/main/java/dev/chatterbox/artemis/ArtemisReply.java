package dev.chatterbox.artemis;

import dev.chatterbox.responder.MessageReply;
import dev.chatterbox.traces.WorkSpan;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.jspecify.annotations.Nullable;

/**
 * A reply to a queue, which is sent without waiting for the broker.
 *
 * @param requests the connection that brought the request, and takes the reply
 * @param replyTo the queue, with or without the {@code queue://} or {@code temp-queue://} that JMS writes before it
 * @param correlationId the reply repeats it, whatever its type; null if the reply queue already identifies the request
 * @param span of the work on the request; null if the call is not traced
 */
record ArtemisReply(
        ArtemisRequests requests,
        String replyTo,
        @Nullable Object correlationId,
        @Nullable WorkSpan span) implements MessageReply {

    /** A message of bytes, as JMS expects it. It is not durable, because its requester's queue is not either. */
    @Override
    public void send(Map<String, String> properties, byte[] body) {
        ClientMessage reply = requests.replies().createMessage(Message.BYTES_TYPE, false);
        if (correlationId != null) {
            reply.setCorrelationID(correlationId);
        }
        properties.forEach(reply::putStringProperty);
        reply.getBodyBuffer().writeBytes(body);
        String address = withoutPrefix(withoutPrefix(replyTo, "queue://"), "temp-queue://");
        if (address.indexOf('*') >= 0 || address.indexOf('#') >= 0) {
            // The broker would log an exception for each.
            requests.responder().undeliverable("the reply queue's name is none that a queue can have");
            return;
        }
        try {
            synchronized (requests.producer()) {
                requests.producer().send(address, reply);
            }
        } catch (ActiveMQException | RuntimeException e) {
            requests.responder().undeliverable(String.valueOf(e.getMessage()));
        }
    }

    private static String withoutPrefix(String address, String prefix) {
        return address.startsWith(prefix) ? address.substring(prefix.length()) : address;
    }
}
