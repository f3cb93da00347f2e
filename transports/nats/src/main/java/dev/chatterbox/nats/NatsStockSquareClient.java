package dev.chatterbox.nats;

import dev.chatterbox.variants.Variant;
import io.nats.client.Options;

/**
 * What jnats' documentation shows first, with the library's defaults: {@code Nats.connect()} and {@code request()}.
 * jnats writes each request to the socket by itself.
 */
class NatsStockSquareClient extends NatsRequestClient {

    NatsStockSquareClient(Variant variant, NatsSettings settings) {
        super(new NatsEndpoint(variant, settings.access()), null);
    }

    /** With more messages jnats' queue is full, and {@code request()} blocks its caller. */
    @Override
    public int maxInFlight() {
        return Options.DEFAULT_MAX_MESSAGES_IN_OUTGOING_QUEUE;
    }
}
