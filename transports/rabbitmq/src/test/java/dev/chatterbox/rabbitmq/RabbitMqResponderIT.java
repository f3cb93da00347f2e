package dev.chatterbox.rabbitmq;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The responder with its own settings. */
@Tag("kit")
class RabbitMqResponderIT extends RabbitMqResponderKit {

    RabbitMqResponderIT() {
        super(Map.of());
    }
}
