package dev.chatterbox.aggregator.nats;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a row tells this client.
 *
 * @param server one address or several, with commas between them
 */
record NatsSettings(@DefaultValue("nats://localhost:4222") String server) {}
