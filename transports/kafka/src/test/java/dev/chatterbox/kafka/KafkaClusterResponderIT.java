package dev.chatterbox.kafka;

import dev.chatterbox.brokers.KafkaBroker;
import dev.chatterbox.responder.SharedBroker;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The responder of the variant kafka-cluster: three nodes store each request and each reply. */
@Tag("long")
class KafkaClusterResponderIT extends KafkaResponderKit {

    KafkaClusterResponderIT() {
        super(Path.of(""), "square-service-kafka", Map.of(), SharedBroker.of(new KafkaBroker(), 3));
    }
}
