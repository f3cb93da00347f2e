package dev.chatterbox.kafka;

import org.junit.jupiter.api.Tag;

/** The client with a producer that waits for a fuller batch. */
@Tag("long")
class KafkaLingerSquareClientIT extends KafkaContract {

    @Override
    protected String variant() {
        return "kafka-linger";
    }
}
