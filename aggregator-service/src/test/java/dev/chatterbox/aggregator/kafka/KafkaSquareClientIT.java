package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;

class KafkaSquareClientIT extends KafkaContract {

    @Override
    protected String row() {
        return "kafka";
    }

    @Override
    SquareClient client(Row row, Rows rows, ClientSettings settings) {
        return new KafkaSquareClient(row, rows, settings, new KafkaProperties(), FAN_OUT, meters);
    }

    @Override
    protected int held(SquareClient client) {
        return ((KafkaSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((KafkaSquareClient) client).connected();
    }
}
