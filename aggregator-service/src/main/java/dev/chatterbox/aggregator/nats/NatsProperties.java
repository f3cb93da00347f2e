package dev.chatterbox.aggregator.nats;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the aggregator speaks NATS.
 *
 * @param server one address, or several with commas between them
 * @param flushEachRequest whether every request is written to the socket by itself, as jnats' own {@code request()} does by
 *     default, instead of with what else is waiting; for comparing the two
 */
@ConfigurationProperties("chatterbox.nats")
record NatsProperties(
        @DefaultValue("nats://localhost:4222") String server,
        @DefaultValue("false") boolean flushEachRequest) {}
