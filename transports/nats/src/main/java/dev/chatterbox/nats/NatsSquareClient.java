package dev.chatterbox.nats;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CorrelatedClient;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Message;
import java.util.Map;

/**
 * Request-reply over core NATS with one inbox subscription. It is like jnats' own {@code request()}, but without a
 * future, a lock and a flush for each request; {@link JnatsSquareClient} and {@link NatsStockSquareClient} exist for
 * comparison. Replies, and the server's notice that nobody listens, arrive on the inbox's dispatcher thread.
 */
class NatsSquareClient extends CorrelatedClient<NatsConnection<String>> {

    private static final int NO_RESPONDERS = 503;

    private final NatsEndpoint endpoint;
    private final int maxInFlight;
    private final String subject;
    private final String batchSubject;

    NatsSquareClient(Variant variant, NatsSettings settings, CallLimits limits, MeterRegistry meters) {
        super(
                variant.name(),
                limits,
                meters,
                settings.access().broker(),
                NatsEndpoint.noResponder(variant.address("subject")),
                NatsEndpoint.STOP_WITHIN);
        endpoint = new NatsEndpoint(variant, settings.access());
        maxInFlight = limits.maxInFlight();
        subject = endpoint.subject();
        batchSubject = subject + ".batch";
    }

    @Override
    protected NatsConnection<String> open() throws Exception {
        return endpoint.open(maxInFlight, connection -> NatsEndpoint.inbox(connection, this::replied));
    }

    @Override
    protected void send(NatsConnection<String> open, long correlationId, SquareRequest request) {
        open.connection()
                .publish(
                        request.batch() ? batchSubject : subject,
                        open.setup() + text(correlationId),
                        NatsEndpoint.headers(request),
                        request.body());
    }

    private void replied(Message reply, long correlationId) {
        if (reply.isStatusMessage() && reply.getStatus().getCode() == NO_RESPONDERS) {
            fail(correlationId, noResponder());
        } else {
            replied(correlationId, reply, NatsEndpoint::read);
        }
    }

    @Override
    protected int responders(NatsConnection<String> open) throws Exception {
        return endpoint.responders(open.connection());
    }

    @Override
    public long maxBytesInFlight() {
        return NatsEndpoint.MOST_BYTES;
    }

    @Override
    public MessageLimit messageLimit() {
        return NatsEndpoint.limit(NatsConnection.connectionOf(current()));
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of("server", endpoint.access().server());
    }
}
