package dev.chatterbox.rabbitmq;

import dev.chatterbox.brokers.RabbitMq;
import dev.chatterbox.responder.SharedBroker;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The responder of the variant rabbitmq-cluster: requests are in a quorum queue of three nodes. */
@Tag("long")
class RabbitMqClusterResponderIT extends RabbitMqResponderKit {

    RabbitMqClusterResponderIT() {
        super(Map.of(), SharedBroker.of(new RabbitMq(), 3));
    }
}
