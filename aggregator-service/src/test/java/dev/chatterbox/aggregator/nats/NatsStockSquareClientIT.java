package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import org.junit.jupiter.api.Tag;

@Tag("long")
class NatsStockSquareClientIT extends NatsContract {

    @Override
    protected String row() {
        return "nats-stock";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new NatsStockSquareClient(row, settings);
    }

    @Override
    protected int held(SquareClient client) {
        return ((NatsStockSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((NatsStockSquareClient) client).connected();
    }

    @Override
    protected boolean countsStrayReplies() {
        return false;
    }
}
