package dev.chatterbox.nats;

import dev.chatterbox.client.ScriptedPeer;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.impl.Headers;
import org.jspecify.annotations.Nullable;

/** A peer that uses jnats alone. Its replies go to the subject that a request names. */
class NatsPeer extends ScriptedPeer {

    /** Subscribes to requests, and passes each to {@link #arrived(Message, boolean, String, String)}. */
    interface Subscription {
        void begin(NatsPeer peer, Connection connection) throws Exception;
    }

    private final Connection connection;
    private @Nullable Request last;

    NatsPeer(String server, Subscription subscription) {
        try {
            connection = Nats.connect(server);
            subscription.begin(this, connection);
            connection.flush(NatsContract.PATIENCE);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** @param correlationId the reply repeats it; null if the subject identifies the request */
    final void arrived(Message request, boolean batch, String replyTo, @Nullable String correlationId) {
        last = new Request(batch, request.getData(), replyTo, correlationId);
        arrived(last);
    }

    private void reply(String replyTo, @Nullable String correlationId, Headers headers, byte[] body) {
        if (correlationId != null) {
            headers.put("Correlation-Id", correlationId);
        }
        connection.publish(replyTo, headers, body);
    }

    private final class Request extends MessageReceived {

        private final String replyTo;
        private final @Nullable String correlationId;

        Request(boolean batch, byte[] body, String replyTo, @Nullable String correlationId) {
            super(batch, body);
            this.replyTo = replyTo;
            this.correlationId = correlationId;
        }

        @Override
        public void error(String reason) {
            Headers headers = new Headers().put("Nats-Service-Error", reason).put("Nats-Service-Error-Code", "500");
            reply(replyTo, correlationId, headers, new byte[0]);
        }

        @Override
        public void bytes(byte[] body) {
            reply(replyTo, correlationId, new Headers(), body);
        }
    }

    /** With another correlation id, be it in the subject or in the header. */
    @Override
    public void replyForNobody() {
        boolean inHeader = last.correlationId != null;
        reply(
                inHeader ? last.replyTo : last.replyTo + "1",
                inHeader ? last.correlationId + "1" : null,
                new Headers(),
                new byte[0]);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
