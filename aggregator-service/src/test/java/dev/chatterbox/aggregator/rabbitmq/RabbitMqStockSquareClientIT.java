package dev.chatterbox.aggregator.rabbitmq;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.springframework.test.util.ReflectionTestUtils;

@Tag("long")
class RabbitMqStockSquareClientIT extends RabbitMqContract {

    @Override
    protected String row() {
        return "rabbitmq-stock";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new RabbitMqStockSquareClient(row, settings);
    }

    /** The template does not tell. */
    @Override
    protected int held(SquareClient client) {
        return ((Map<?, ?>) ReflectionTestUtils.getField(((RabbitMqStockSquareClient) client).template(), "pending"))
                .size();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((RabbitMqStockSquareClient) client).connected();
    }

    @Override
    protected boolean countsStrayReplies() {
        return false;
    }
}
