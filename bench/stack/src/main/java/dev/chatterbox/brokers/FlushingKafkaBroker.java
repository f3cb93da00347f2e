package dev.chatterbox.brokers;

import java.util.Map;

/** A Kafka broker that syncs each batch of a producer to the disk before it acknowledges it: flush.messages of all topics. */
public final class FlushingKafkaBroker extends KafkaBroker {

    public FlushingKafkaBroker() {
        super("kafka-flush", Map.of("client", 9132, "controller", 9133), "log.flush.interval.messages=1\n");
    }
}
