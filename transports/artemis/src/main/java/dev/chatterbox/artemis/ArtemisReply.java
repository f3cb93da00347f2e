package dev.chatterbox.artemis;

import com.google.protobuf.MessageLite;
import dev.chatterbox.connection.ErrorHeaders;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.WorkSpan;
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
        implements Reply<MessageLite> {

    /** A message of bytes, as JMS expects it. It is not durable, because its requester's queue is not either. */
    private ClientMessage message() {
        ClientMessage message = session.createMessage(Message.BYTES_TYPE, false);
        if (correlationId != null) {
            message.setCorrelationID(correlationId);
        }
        if (span != null) {
            message.putStringProperty(ResponderWork.HEADER, span.end());
        }
        return message;
    }

    @Override
    public void answer(MessageLite answer) {
        ClientMessage reply = message();
        reply.getBodyBuffer().writeBytes(answer.toByteArray());
        send(reply);
    }

    @Override
    public void error(int code, String reason) {
        ClientMessage reply = message();
        reply.putStringProperty(ErrorHeaders.REASON, reason);
        reply.putIntProperty(ErrorHeaders.CODE, code);
        send(reply);
    }

    private void send(ClientMessage reply) {
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
