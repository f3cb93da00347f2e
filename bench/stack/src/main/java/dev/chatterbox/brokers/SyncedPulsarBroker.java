package dev.chatterbox.brokers;

import java.util.Map;

/** A Pulsar standalone whose bookie syncs its journal before a message counts, as BookKeeper does by default. */
public final class SyncedPulsarBroker extends PulsarBroker {

    public SyncedPulsarBroker() {
        super("pulsar-synced", Map.of("client", 6690, "admin", 6691, "bookie", 6692), true);
    }
}
