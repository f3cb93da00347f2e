package dev.chatterbox.square.rabbitmq;

import java.util.Map;

/** The responder whose replies await their confirms, as the row rabbitmq-serial starts it. */
class RabbitMqSerialResponderIT extends RabbitMqResponderKit {

    RabbitMqSerialResponderIT() {
        super(Map.of("RABBITMQ_CONFIRM_EACH", "true", "RABBITMQ_ACKNOWLEDGE", "1", "RABBITMQ_PREFETCH", "100"));
    }
}
