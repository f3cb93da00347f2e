package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;

class NatsSquareClientIT extends NatsContract {

    @Override
    protected String row() {
        return "nats";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new NatsSquareClient(row, settings, FAN_OUT, meters);
    }

    @Override
    protected int held(SquareClient client) {
        return ((NatsSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((NatsSquareClient) client).connected();
    }
}
