package dev.chatterbox.rabbitmq;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The responder whose replies await their confirms, as the variant rabbitmq-serial starts it. */
@Tag("long")
class RabbitMqSerialResponderIT extends RabbitMqResponderKit {

    RabbitMqSerialResponderIT() {
        super(Map.of("RABBITMQ_CONFIRM_EACH", "true", "RABBITMQ_ACKNOWLEDGE", "1", "RABBITMQ_PREFETCH", "100"));
    }
}
