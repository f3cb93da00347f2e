package dev.chatterbox.aggregator.nats;

import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import io.nats.client.Options;

/**
 * What jnats' documentation shows first: {@code Nats.connect()} and {@code request()}, with the library's
 * defaults. Each request is written to the socket by itself.
 */
class NatsStockSquareClient extends NatsStockClient<Connection> {

    NatsStockSquareClient(Row row, NatsSettings settings) {
        super(new NatsEndpoint(row, settings.access()));
    }

    @Override
    Connection make(Connection opened) {
        return opened;
    }

    /** Beyond this, jnats' queue is full and {@code request()} holds its caller. */
    @Override
    public int maxInFlight() {
        return Options.DEFAULT_MAX_MESSAGES_IN_OUTGOING_QUEUE;
    }
}
