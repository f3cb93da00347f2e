package dev.chatterbox.square.nats;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.square.common.SharedBroker;

class JetStreamResponderIT extends JetStreamResponderKit {

    JetStreamResponderIT() {
        super(SharedBroker.of(new NatsServer()));
    }
}
