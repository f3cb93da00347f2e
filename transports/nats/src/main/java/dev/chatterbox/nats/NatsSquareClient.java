package dev.chatterbox.nats;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.util.Map;

/**
 * Request-reply over core NATS with one inbox subscription. It is like jnats' own {@code request()}, but without a
 * future, a lock and a flush for each request; {@link JnatsSquareClient} and {@link NatsStockSquareClient} exist for
 * comparison. Replies, and the server's notice that nobody listens, arrive on the inbox's dispatcher thread.
 */
class NatsSquareClient extends NatsClient<String> {

    private static final int NO_RESPONDERS = 503;

    private final String batchSubject;

    NatsSquareClient(Variant variant, NatsSettings settings, CallLimits limits, MeterRegistry meters) {
        super(variant, settings.access(), limits, meters);
        batchSubject = endpoint.subject() + ".batch";
    }

    @Override
    String make(Connection connection) {
        return NatsEndpoint.inbox(connection, this::replied);
    }

    @Override
    protected void send(NatsConnection<String> open, long correlationId, SquareRequest request) {
        String subject = request.batch() ? batchSubject : endpoint.subject();
        String replyTo = open.setup() + text(correlationId);
        open.connection().publish(subject, replyTo, NatsEndpoint.headers(request), request.body());
    }

    private void replied(Message reply, long correlationId) {
        if (reply.isStatusMessage() && reply.getStatus().getCode() == NO_RESPONDERS) {
            pending.fail(correlationId, noResponder());
        } else {
            pending.reply(correlationId, reply, NatsEndpoint::read);
        }
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of("server", endpoint.access().server());
    }
}
