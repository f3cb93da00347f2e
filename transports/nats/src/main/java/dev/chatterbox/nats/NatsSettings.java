package dev.chatterbox.nats;

import org.springframework.boot.context.properties.bind.DefaultValue;

/** The settings of a variant over core NATS; both are those of {@link NatsAccess}. */
record NatsSettings(
        @DefaultValue("nats://localhost:4222") String server,
        @DefaultValue("") String properties) {

    NatsSettings {
        NatsAccess.of("client", server, properties);
    }

    NatsAccess access() {
        return new NatsAccess(server, properties);
    }
}
