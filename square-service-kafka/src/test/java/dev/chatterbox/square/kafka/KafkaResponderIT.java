package dev.chatterbox.square.kafka;

import java.nio.file.Path;
import java.util.Map;

class KafkaResponderIT extends KafkaResponderKit {

    KafkaResponderIT() {
        super(Path.of(""), "square-service-kafka", Map.of());
    }
}
