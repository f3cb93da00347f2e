package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.rows.Row;
import dev.chatterbox.transport.Exchange;
import java.util.List;

/**
 * Where the responder is reached.
 *
 * @param requestTopics that of unary requests, and that of batches where the row has any
 * @param group the consumer group of its processes
 */
record KafkaAddress(List<String> requestTopics, String replyTopic, String group) {

    static KafkaAddress of(Row row) {
        String unary = row.address("request-topic");
        return new KafkaAddress(
                row.exchanges().contains(Exchange.BATCH) ? List.of(unary, unary + ".batch") : List.of(unary),
                row.address("reply-topic"),
                row.address("group"));
    }

    String requestTopic() {
        return requestTopics.get(0);
    }

    /** Only where the row has batches. */
    String batchTopic() {
        return requestTopics.get(1);
    }
}
