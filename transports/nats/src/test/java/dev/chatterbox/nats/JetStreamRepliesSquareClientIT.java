package dev.chatterbox.nats;

import org.junit.jupiter.api.Tag;

@Tag("long")
class JetStreamRepliesSquareClientIT extends JetStreamSquareClientIT {

    @Override
    protected String variant() {
        return "jetstream-replies";
    }
}
