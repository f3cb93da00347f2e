package dev.chatterbox.nats;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.responder.SharedBroker;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kit")
class JetStreamResponderIT extends JetStreamResponderKit {

    private static final Duration AGAIN_WITHIN = Duration.ofSeconds(10);

    JetStreamResponderIT() {
        super(SharedBroker.of(new NatsServer()));
    }

    @Test
    void makesAgainWhatSomebodyDeletesOnTheRunningServer() throws Exception {
        management().deleteConsumer(STREAM + "-file", GROUP);
        awaitAnswers(requester, AGAIN_WITHIN);

        management().deleteStream(STREAM + "-file");
        awaitAnswers(requester, AGAIN_WITHIN);
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
