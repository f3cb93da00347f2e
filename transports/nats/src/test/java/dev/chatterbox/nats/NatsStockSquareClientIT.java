package dev.chatterbox.nats;

import dev.chatterbox.client.SquareClient;
import org.junit.jupiter.api.Tag;

@Tag("long")
class NatsStockSquareClientIT extends NatsContract {

    @Override
    protected String variant() {
        return "nats-stock";
    }

    @Override
    protected int holds(SquareClient client) {
        return outstanding(jnats(client));
    }

    @Override
    protected boolean connected(SquareClient client) {
        return isConnected(jnats(client));
    }

    @Override
    protected boolean countsStrayReplies() {
        return false;
    }
}
