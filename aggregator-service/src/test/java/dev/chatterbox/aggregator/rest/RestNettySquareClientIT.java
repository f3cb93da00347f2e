package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import org.junit.jupiter.api.Tag;

@Tag("long")
class RestNettySquareClientIT extends RestContract {

    @Override
    protected String row() {
        return "rest-netty";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new RestNettySquareClient(row, settings, LIMITS, meters);
    }

    @Override
    int outstanding(SquareClient client) {
        return ((RestNettySquareClient) client).outstanding();
    }
}
