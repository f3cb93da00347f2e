package dev.chatterbox.brokers;

import java.util.Map;

/** A nats-server whose JetStream syncs each message to the disk before it acknowledges it. */
public final class SyncedNatsServer extends NatsServer {

    public SyncedNatsServer() {
        super("nats-always", Map.of("client", 4262, "monitor", 8262), "always");
    }
}
