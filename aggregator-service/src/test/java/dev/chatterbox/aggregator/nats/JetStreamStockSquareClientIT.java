package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import org.junit.jupiter.api.Tag;

@Tag("long")
class JetStreamStockSquareClientIT extends JetStreamContract {

    @Override
    protected String row() {
        return "jetstream-stock";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new JetStreamStockSquareClient(row, settings, LIMITS, meters);
    }

    @Override
    protected int held(SquareClient client) {
        return ((JetStreamStockSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((JetStreamStockSquareClient) client).connected();
    }
}
