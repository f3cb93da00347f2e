package dev.chatterbox.rabbitmq;

import org.junit.jupiter.api.Tag;

@Tag("long")
class RabbitMqDirectSquareClientIT extends RabbitMqSquareClientIT {

    @Override
    protected String variant() {
        return "rabbitmq-direct";
    }
}
