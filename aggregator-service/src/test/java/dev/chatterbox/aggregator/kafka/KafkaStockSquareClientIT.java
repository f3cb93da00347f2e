package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.test.util.ReflectionTestUtils;

@Tag("long")
class KafkaStockSquareClientIT extends KafkaContract {

    @Override
    protected String row() {
        return "kafka-stock";
    }

    @Override
    SquareClient client(Row row, Rows rows, ClientSettings settings) {
        return new KafkaStockSquareClient(row, settings, new KafkaProperties());
    }

    /** The template does not tell. */
    @Override
    protected int held(SquareClient client) {
        return ((Map<?, ?>) ReflectionTestUtils.getField(((KafkaStockSquareClient) client).template(), "futures"))
                .size();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((KafkaStockSquareClient) client).connected();
    }

    @Override
    protected boolean countsStrayReplies() {
        return false;
    }
}
