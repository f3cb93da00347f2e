package dev.chatterbox.nats;

import dev.chatterbox.responder.MessageReply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.WorkSpan;
import io.nats.client.Connection;
import io.nats.client.impl.Headers;
import io.nats.service.ServiceMessage;
import java.util.Map;
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
        implements MessageReply {

    /** A header of a request; null if it has none, or not this one. */
    static @Nullable String header(@Nullable Headers headers, String name) {
        return headers == null ? null : headers.getFirst(name);
    }

    /** Those of the services convention. */
    @Override
    public Map<String, String> errorHeaders(String reason) {
        return Map.of(ServiceMessage.NATS_SERVICE_ERROR, reason, ServiceMessage.NATS_SERVICE_ERROR_CODE, "400");
    }

    @Override
    public void send(Map<String, String> texts, byte[] body) {
        Headers headers = null;
        if (correlationId != null || !texts.isEmpty()) {
            headers = new Headers();
            texts.forEach(headers::put);
            if (correlationId != null) {
                headers.put(JetStreams.CORRELATION_ID, correlationId);
            }
        }
        try {
            connection.publish(replyTo, ackTo, headers, body);
        } catch (IllegalStateException | IllegalArgumentException e) {
            responder.undeliverable(String.valueOf(e.getMessage()));
        }
    }
}
