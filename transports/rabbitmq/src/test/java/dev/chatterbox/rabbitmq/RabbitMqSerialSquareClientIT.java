package dev.chatterbox.rabbitmq;

import org.junit.jupiter.api.Tag;

/** The client with stored requests and replies, and a responder that awaits each confirm, as published. */
@Tag("long")
class RabbitMqSerialSquareClientIT extends RabbitMqContract {

    @Override
    protected String variant() {
        return "rabbitmq-serial";
    }
}
