package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import org.junit.jupiter.api.Tag;

@Tag("long")
class JetStreamSquareClientIT extends JetStreamContract {

    @Override
    protected String row() {
        return "jetstream";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new JetStreamSquareClient(row, settings, LIMITS, meters);
    }

    @Override
    protected int held(SquareClient client) {
        return ((JetStreamSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((JetStreamSquareClient) client).connected();
    }
}
