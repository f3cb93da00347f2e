package dev.chatterbox.square.kafka;

import dev.chatterbox.square.common.BatchChecks;
import dev.chatterbox.square.common.MutationChecks;
import java.nio.file.Path;
import java.util.Map;

class KafkaResponderIT extends KafkaResponderKit implements BatchChecks, MutationChecks {

    KafkaResponderIT() {
        super(Path.of(""), "square-service-kafka", Map.of());
    }

    /** About max.request.size of the requester, by default. */
    @Override
    public int largestBody() {
        return (1 << 20) - 1_024;
    }
}
