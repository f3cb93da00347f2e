package dev.chatterbox.nats;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;

/**
 * Request-reply over NATS core by jnats' own {@code request()}, as an application does it that has no table of
 * pending calls of its own.
 */
class JnatsSquareClient extends NatsRequestClient<Connection> {

    JnatsSquareClient(Row row, NatsSettings settings, CallLimits limits) {
        super(new NatsEndpoint(row, settings.access()), limits.maxInFlight());
    }

    @Override
    Connection make(Connection opened) {
        return opened;
    }
}
