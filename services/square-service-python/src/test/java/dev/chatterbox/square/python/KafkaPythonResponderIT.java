package dev.chatterbox.square.python;

import dev.chatterbox.kafka.KafkaResponderKit;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

@Tag("long")
@EnabledIf("dev.chatterbox.square.python.PythonHere#isHere")
class KafkaPythonResponderIT extends KafkaResponderKit {

    KafkaPythonResponderIT() {
        super(Path.of(""), "square-service-kafka-python", PythonHere.environment("kafka-python"));
    }
}
