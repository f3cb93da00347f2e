package dev.chatterbox.nats;

import dev.chatterbox.client.SquareClient;
import org.junit.jupiter.api.Tag;

@Tag("long")
class JetStreamStockSquareClientIT extends JetStreamContract {

    @Override
    protected String variant() {
        return "jetstream-stock";
    }

    @Override
    protected boolean connected(SquareClient client) {
        return NatsContract.isConnected(NatsContract.jnats(client));
    }
}
