package dev.chatterbox.aggregator.kafka;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;

class KafkaSquareClientIT extends KafkaContract {

    @Override
    protected String row() {
        return "kafka";
    }

    @Override
    SquareClient client(Row row, Rows rows, ClientSettings settings) {
        return new KafkaSquareClient(row, rows, settings, new KafkaProperties(), LIMITS, meters);
    }

    @Override
    protected int held(SquareClient client) {
        return ((KafkaSquareClient) client).outstanding();
    }

    /** As where a broker has come back without its data; the responder makes its own topics. */
    @Test
    void goesOnWithNewTopicsWhereTheOldOnesAreGone() throws Exception {
        assumeTrue(row().equals("kafka"), "square-service-python makes its topic at its start, and then no more");
        SquareClient client = clientOfTheRealResponder();
        client.start();
        try {
            awaitAnswer(client);
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers()))) {
                admin.deleteTopics(List.of("square.requests", "square.requests.batch", "square.replies"))
                        .all()
                        .get(10, TimeUnit.SECONDS);
            }
            await().atMost(RECOVERY).until(() -> !connected(client));

            awaitAnswer(client);
        } finally {
            client.stop();
        }
    }

    private static void awaitAnswer(SquareClient client) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> client.square(new SquareRequest(3, SHORT))
                                .block(PATIENCE)
                                .square()
                        == 9);
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((KafkaSquareClient) client).connected();
    }
}
