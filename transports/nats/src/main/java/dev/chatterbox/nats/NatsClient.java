package dev.chatterbox.nats;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CorrelatedClient;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Connection;
import java.io.IOException;

/**
 * A client over NATS whose calls have correlation ids of our own.
 *
 * @param <T> what calls use on the connection
 */
abstract class NatsClient<T> extends CorrelatedClient<NatsConnection<T>> {

    final NatsEndpoint endpoint;
    private final int maxInFlight;

    NatsClient(Variant variant, NatsAccess access, CallLimits limits, MeterRegistry meters) {
        super(variant.name(), limits, meters, access.broker(), NatsEndpoint.noResponder(variant.address("subject")));
        endpoint = new NatsEndpoint(variant, access);
        maxInFlight = limits.maxInFlight();
    }

    /** Makes what calls use on a connection, before the connection counts as open. */
    abstract T make(Connection connection) throws IOException;

    @Override
    protected final NatsConnection<T> open() throws Exception {
        return endpoint.open(maxInFlight, this::make);
    }

    @Override
    protected final int responders(NatsConnection<T> open) throws Exception {
        return endpoint.responders(open.connection());
    }

    @Override
    public final long maxBytesInFlight() {
        return NatsEndpoint.MOST_BYTES;
    }

    @Override
    public MessageLimit messageLimit() {
        return NatsEndpoint.limit(NatsConnection.connectionOf(current()));
    }
}
