package dev.chatterbox.nats;

import io.nats.client.api.StorageType;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of a variant over JetStream. {@code server} and {@code properties} are as in {@link NatsAccess}.
 *
 * @param storage where requests are stored, and replies if they are stored: {@code file} or {@code memory}
 * @param replies whether replies come over core NATS, which does not store them, or through a stream
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

    /** For readers of a comparison. The server decides when it acknowledges; how often it syncs is its default. */
    void showDelivery(Map<String, Object> shown) {
        boolean onFile = storage == StorageType.File;
        shown.put("delivery", "stored %s, at least once".formatted(onFile ? "on file" : "in the server's memory"));
        shown.put("synced to disk", onFile ? "every 2 minutes, the acknowledgement does not wait for it" : "never");
    }
}
