package dev.chatterbox.rabbitmq;

import org.junit.jupiter.api.Tag;

/** The client with requests that the server neither expires nor returns. */
@Tag("long")
class RabbitMqLeanSquareClientIT extends RabbitMqContract {

    @Override
    protected String variant() {
        return "rabbitmq-lean";
    }
}
