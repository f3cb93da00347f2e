package dev.chatterbox.square.kafka;

import dev.chatterbox.square.common.BatchChecks;
import java.nio.file.Path;
import java.util.Map;

class KafkaResponderIT extends KafkaResponderKit implements BatchChecks {

    KafkaResponderIT() {
        super(Path.of(""), "square-service-kafka", Map.of());
    }
}
