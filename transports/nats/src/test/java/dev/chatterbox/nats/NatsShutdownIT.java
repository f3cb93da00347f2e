package dev.chatterbox.nats;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.responder.KeptResponder;
import dev.chatterbox.responder.ResponderShutdownKit;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.responder.Wire;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class NatsShutdownIT extends ResponderShutdownKit {

    private static final String SUBJECT = "test.squares";

    NatsShutdownIT() {
        super(new NatsServer(), "NATS_SERVER", "nats");
    }

    @Override
    protected KeptResponder responder(String url, SquareResponder squares) {
        return responder(url, "", squares);
    }

    private static KeptResponder responder(String url, String stream, SquareResponder squares) {
        return new NatsResponder().natsResponder(url, "", stream, SUBJECT, "test", Duration.ofSeconds(10), 1, squares);
    }

    @Test
    void leavesNothingBehindOfItsStreams() {
        stops(connected(responder(url, "test", squares)));
    }

    /** So many answers wait that jnats' outgoing queue is full and its writer is blocked in the socket. */
    @Test
    void leavesNothingBehindWhenItsServerFreezesUnderLoad() {
        try (BareNatsClient requester = BareNatsClient.connect(broker.port(), SUBJECT)) {
            ignoreThreads();
            KeptResponder responder = connected();
            byte[] request = Wire.input(3);
            for (int i = 0; i < 100_000; i++) {
                requester.connection().publish(SUBJECT, "nobody." + i, request);
            }
            stopsWhileItsBrokerIsFrozen(responder);
        }
    }
}
