package dev.chatterbox.nats;

import com.google.protobuf.MessageLite;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.WorkSpan;
import io.nats.client.Connection;
import io.nats.client.impl.Headers;
import io.nats.service.ServiceMessage;
import org.jspecify.annotations.Nullable;

/**
 * A reply to a subject.
 *
 * @param correlationId identifies the request for its requester, in the reply's header; null if the subject does so
 * @param ackTo the subject on which a stream acknowledges that it stored the reply; null if no stream stores it
 * @param span of the work on the request; null if the call is not traced
 */
record NatsReply(
        Connection connection,
        String replyTo,
        @Nullable String correlationId,
        @Nullable String ackTo,
        @Nullable WorkSpan span,
        SquareResponder responder)
        implements Reply<MessageLite> {

    /** A header of a request; null if it has none, or not this one. */
    static @Nullable String header(@Nullable Headers headers, String name) {
        return headers == null ? null : headers.getFirst(name);
    }

    @Override
    public void answer(MessageLite answer) {
        publish(correlationId == null && span == null ? null : headers(), answer.toByteArray());
    }

    @Override
    public void error(int code, String reason) {
        publish(
                headers()
                        .put(ServiceMessage.NATS_SERVICE_ERROR, reason)
                        .put(ServiceMessage.NATS_SERVICE_ERROR_CODE, Integer.toString(code)),
                null);
    }

    private Headers headers() {
        Headers headers = new Headers();
        if (correlationId != null) {
            headers.put(JetStreams.CORRELATION_ID, correlationId);
        }
        if (span != null) {
            headers.put(ResponderWork.HEADER, span.end());
        }
        return headers;
    }

    private void publish(@Nullable Headers headers, byte @Nullable [] body) {
        try {
            connection.publish(replyTo, ackTo, headers, body);
        } catch (IllegalStateException | IllegalArgumentException e) {
            responder.undeliverable(String.valueOf(e.getMessage()));
        }
    }
}
