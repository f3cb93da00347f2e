package dev.chatterbox.square.artemis;

import com.google.protobuf.MessageLite;
import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;

/** Sends replies over a session of their own, without waiting for the broker. Safe for concurrent use. */
final class Replies {

    private static final String ERROR = "chatterbox_error";
    private static final String ERROR_CODE = "chatterbox_error_code";

    /** JMS writes one of them before the name. */
    private static final String QUEUE = "queue://";

    private static final String TEMPORARY_QUEUE = "temp-queue://";

    private final ClientSession session;
    private final SquareResponder responder;

    /** Without an address: each reply has its own. Guarded by this, as the session is. */
    private final ClientProducer producer;

    Replies(ClientSession session, SquareResponder responder) throws ActiveMQException {
        this.session = session;
        this.responder = responder;
        producer = session.createProducer();
    }

    /** @param correlationId comes back as it was, of whatever type; null where the queue says it */
    Reply<MessageLite> to(String replyTo, @Nullable Object correlationId) {
        String address = replyTo;
        for (String prefix : new String[] {QUEUE, TEMPORARY_QUEUE}) {
            if (replyTo.startsWith(prefix)) {
                address = replyTo.substring(prefix.length());
            }
        }
        return new ArtemisReply(address, correlationId);
    }

    private synchronized void send(String address, ClientMessage reply) {
        if (address.indexOf('*') >= 0 || address.indexOf('#') >= 0) {
            // The broker would log an exception for each.
            responder.undeliverable("the reply queue's name is none that a queue can have");
            return;
        }
        try {
            producer.send(address, reply);
        } catch (ActiveMQException | RuntimeException e) {
            responder.undeliverable(String.valueOf(e.getMessage()));
        }
    }

    synchronized void close() throws ActiveMQException {
        session.close();
    }

    private final class ArtemisReply implements Reply<MessageLite> {

        private final String address;
        private final @Nullable Object correlationId;

        ArtemisReply(String address, @Nullable Object correlationId) {
            this.address = address;
            this.correlationId = correlationId;
        }

        /** As JMS takes it for a message of bytes, and not durable: its requester's queue is not either. */
        private ClientMessage message() {
            ClientMessage message = session.createMessage(Message.BYTES_TYPE, false);
            if (correlationId != null) {
                message.setCorrelationID(correlationId);
            }
            return message;
        }

        @Override
        public void answer(MessageLite answer) {
            ClientMessage reply = message();
            reply.getBodyBuffer().writeBytes(answer.toByteArray());
            send(address, reply);
        }

        @Override
        public void error(int code, String reason) {
            ClientMessage reply = message();
            reply.putStringProperty(ERROR, reason);
            reply.putIntProperty(ERROR_CODE, code);
            send(address, reply);
        }
    }
}
