package dev.chatterbox.nats;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.variants.Variant;

/**
 * Request-reply over NATS core by jnats' own {@code request()}, as an application does it that has no table of
 * pending calls of its own.
 */
class JnatsSquareClient extends NatsRequestClient {

    JnatsSquareClient(Variant variant, NatsSettings settings, CallLimits limits) {
        super(new NatsEndpoint(variant, settings.access()), limits);
    }
}
