package dev.chatterbox.square.rabbitmq;

import dev.chatterbox.brokers.RabbitMq;
import dev.chatterbox.square.common.KeptResponder;
import dev.chatterbox.square.common.ResponderShutdownKit;
import dev.chatterbox.square.common.SquareResponder;
import org.junit.jupiter.api.Tag;

@Tag("long")
class RabbitMqShutdownIT extends ResponderShutdownKit {

    RabbitMqShutdownIT() {
        super(new RabbitMq(), "RABBITMQ_URI", "^rabbitmq-|AMQP");
    }

    @Override
    protected KeptResponder responder(String uri, SquareResponder squares) {
        return new SquareServiceRabbitMq()
                .rabbitMqResponder(
                        uri, "test.squares", new RabbitMqRequests.Settings(1000, 50, "classic", false), squares);
    }
}
