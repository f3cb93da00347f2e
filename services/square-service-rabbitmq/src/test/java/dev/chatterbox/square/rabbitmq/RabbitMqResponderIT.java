package dev.chatterbox.square.rabbitmq;

import java.util.Map;

/** The responder with its own settings. */
class RabbitMqResponderIT extends RabbitMqResponderKit {

    RabbitMqResponderIT() {
        super(Map.of());
    }
}
