package dev.chatterbox.aggregator.nats;

import org.junit.jupiter.api.Tag;

@Tag("long")
class JetStreamSquareClientIT extends JetStreamContract {

    @Override
    protected String row() {
        return "jetstream";
    }
}
