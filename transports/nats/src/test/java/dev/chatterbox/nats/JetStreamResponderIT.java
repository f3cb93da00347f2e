package dev.chatterbox.nats;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.responder.SharedBroker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kit")
class JetStreamResponderIT extends JetStreamResponderKit {

    JetStreamResponderIT() {
        super(SharedBroker.of(new NatsServer()));
    }

    @Test
    void makesItsStreamInMemoryAgainWhereTheServerHasLostIt() {
        server.kill();
        server.restart();
        awaitHealth(service, 200);

        try (BareJetStreamClient inMemory = BareJetStreamClient.connect(server.port(), SUBJECT + ".memory")) {
            awaitAnswers(inMemory, PATIENCE);
        }
    }
}
