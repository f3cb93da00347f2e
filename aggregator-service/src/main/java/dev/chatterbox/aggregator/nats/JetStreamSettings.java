package dev.chatterbox.aggregator.nats;

import dev.chatterbox.nats.NatsAccess;
import io.nats.client.api.StorageType;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of a row over JetStream; server and properties are those of {@link NatsAccess}.
 *
 * @param storage where requests are stored, and replies if they are: {@code file} or {@code memory}
 * @param replies whether replies come over core NATS, and are not stored, or through a stream
 */
record JetStreamSettings(
        @DefaultValue("nats://localhost:4222") String server,
        @DefaultValue("") String properties,
        @DefaultValue("file") StorageType storage,
        @DefaultValue("core") ReplyPath replies) {

    enum ReplyPath {
        CORE,
        STREAM
    }

    JetStreamSettings {
        NatsAccess.of("client", server, properties);
    }

    NatsAccess access() {
        return new NatsAccess(server, properties);
    }

    /** For whoever compares. The server says when it acknowledges, and by its default how often it syncs. */
    void showDelivery(Map<String, Object> shown) {
        boolean onFile = storage == StorageType.File;
        shown.put("delivery", "stored %s, at least once".formatted(onFile ? "on file" : "in the server's memory"));
        shown.put("synced to disk", onFile ? "every 2 minutes, the acknowledgement does not wait for it" : "never");
    }
}
