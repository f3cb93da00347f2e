package dev.chatterbox.nats;

import org.junit.jupiter.api.Tag;

@Tag("kit")
class JetStreamSquareClientIT extends JetStreamContract {

    @Override
    protected String variant() {
        return "jetstream";
    }
}
