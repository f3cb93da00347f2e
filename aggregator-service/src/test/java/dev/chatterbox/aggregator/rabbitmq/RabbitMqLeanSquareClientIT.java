package dev.chatterbox.aggregator.rabbitmq;

import org.junit.jupiter.api.Tag;

/** With requests that the server takes no care of. */
@Tag("long")
class RabbitMqLeanSquareClientIT extends RabbitMqContract {

    @Override
    protected String row() {
        return "rabbitmq-lean";
    }
}
