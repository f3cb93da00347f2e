package dev.chatterbox.aggregator.nats;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a row tells this client.
 *
 * @param server one address or several, with commas between them
 * @param flushEachRequest whether each request is written to the socket by itself, as jnats does by default
 */
record JnatsSettings(
        @DefaultValue(NatsSettings.SERVER) String server,
        @DefaultValue("true") boolean flushEachRequest) {}
