package dev.chatterbox.aggregator.rabbitmq;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import org.junit.jupiter.api.Tag;

@Tag("long")
class RabbitMqSquareClientIT extends RabbitMqContract {

    @Override
    protected String row() {
        return "rabbitmq";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new RabbitMqSquareClient(row, settings, FAN_OUT, meters);
    }

    @Override
    protected int held(SquareClient client) {
        return ((RabbitMqSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((RabbitMqSquareClient) client).connected();
    }
}
