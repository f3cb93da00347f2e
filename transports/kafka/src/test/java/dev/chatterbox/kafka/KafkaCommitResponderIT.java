package dev.chatterbox.kafka;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The responder that commits each request by itself, as the variant kafka-commit starts it. */
@Tag("long")
class KafkaCommitResponderIT extends KafkaResponderKit {

    KafkaCommitResponderIT() {
        super(Path.of(""), "square-service-kafka", Map.of("KAFKA_COMMIT_EACH", "true"));
    }

    /** A commit takes the better part of a millisecond. */
    @Override
    protected int burst() {
        return 4_000;
    }
}
