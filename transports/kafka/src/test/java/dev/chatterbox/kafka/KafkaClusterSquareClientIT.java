package dev.chatterbox.kafka;

import org.junit.jupiter.api.Tag;

/** The client of three nodes that store each request and each reply. */
@Tag("long")
class KafkaClusterSquareClientIT extends KafkaContract {

    @Override
    protected String variant() {
        return "kafka-cluster";
    }
}
