package dev.chatterbox.aggregator.nats;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the aggregator speaks NATS.
 *
 * @param server one address, or several with commas between them
 * @param requester who matches replies to requests
 */
@ConfigurationProperties("chatterbox.nats")
record NatsProperties(
        @DefaultValue("nats://localhost:4222") String server,
        @DefaultValue("own") Requester requester) {

    /** The last two are there to be compared with the first. */
    enum Requester {

        /** The aggregator's own table of pending calls, over an inbox of its own. */
        OWN("own, batched flushes"),

        /** jnats' {@code request()}, without its flush a request. */
        JNATS("jnats, batched flushes"),

        /** jnats' {@code request()} as it is by default: each request is written to the socket by itself. */
        JNATS_FLUSHING("jnats, a flush a request");

        private final String setting;

        Requester(String setting) {
            this.setting = setting;
        }

        String setting() {
            return setting;
        }
    }
}
