package dev.chatterbox.kafka;

import org.junit.jupiter.api.Tag;

/** The client whose reader commits after each reply, as published. */
@Tag("long")
class KafkaCommitSquareClientIT extends KafkaContract {

    @Override
    protected String variant() {
        return "kafka-commit";
    }
}
