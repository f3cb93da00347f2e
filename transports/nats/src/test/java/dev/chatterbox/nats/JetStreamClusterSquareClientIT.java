package dev.chatterbox.nats;

import org.junit.jupiter.api.Tag;

/** The client of three servers that store each request. */
@Tag("long")
class JetStreamClusterSquareClientIT extends JetStreamContract {

    @Override
    protected String variant() {
        return "jetstream-cluster";
    }
}
