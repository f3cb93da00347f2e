package dev.chatterbox.rabbitmq;

import dev.chatterbox.brokers.RabbitMq;
import dev.chatterbox.responder.KeptResponder;
import dev.chatterbox.responder.ResponderShutdownKit;
import dev.chatterbox.responder.SquareResponder;
import org.junit.jupiter.api.Tag;

@Tag("long")
class RabbitMqShutdownIT extends ResponderShutdownKit {

    RabbitMqShutdownIT() {
        super(new RabbitMq(), "RABBITMQ_URI", "^rabbitmq-|AMQP");
    }

    @Override
    protected KeptResponder responder(String uri, SquareResponder squares) {
        return new RabbitMqResponder()
                .rabbitMqResponder(
                        uri, "test.squares", new RabbitMqRequests.Settings(1000, 50, "classic", false), squares);
    }
}
