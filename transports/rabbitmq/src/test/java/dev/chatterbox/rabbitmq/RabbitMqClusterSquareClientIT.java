package dev.chatterbox.rabbitmq;

import org.junit.jupiter.api.Tag;

/** The client of three nodes, whose real responder makes a quorum queue. */
@Tag("long")
class RabbitMqClusterSquareClientIT extends RabbitMqContract {

    @Override
    protected String variant() {
        return "rabbitmq-cluster";
    }
}
