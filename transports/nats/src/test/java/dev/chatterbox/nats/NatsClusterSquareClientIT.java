package dev.chatterbox.nats;

import org.junit.jupiter.api.Tag;

/** The client of three servers, of which it is connected to one. */
@Tag("long")
class NatsClusterSquareClientIT extends NatsContract {

    @Override
    protected String variant() {
        return "nats-cluster";
    }
}
