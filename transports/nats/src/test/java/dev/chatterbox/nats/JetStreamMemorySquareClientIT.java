package dev.chatterbox.nats;

import org.junit.jupiter.api.Tag;

@Tag("long")
class JetStreamMemorySquareClientIT extends JetStreamSquareClientIT {

    @Override
    protected String variant() {
        return "jetstream-memory";
    }
}
