package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import org.springframework.web.reactive.function.client.WebClient;

class RestSquareClientIT extends RestContract {

    @Override
    protected String row() {
        return "rest";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new RestSquareClient(row, settings, LIMITS, meters, WebClient.builder());
    }

    @Override
    int outstanding(SquareClient client) {
        return ((RestSquareClient) client).outstanding();
    }
}
