package dev.chatterbox.aggregator.nats;

import org.springframework.boot.context.properties.bind.DefaultValue;

/** What a row tells this client; the parameters are those of {@link NatsTarget}. */
record NatsSettings(
        @DefaultValue("nats://localhost:4222") String server,
        @DefaultValue("") String properties) {

    NatsSettings {
        new NatsTarget(server, properties);
    }

    NatsTarget target() {
        return new NatsTarget(server, properties);
    }
}
