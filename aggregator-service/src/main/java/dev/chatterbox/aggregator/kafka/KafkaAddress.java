package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.rows.Row;

/**
 * Where the responder is reached.
 *
 * @param group the consumer group of its processes
 */
record KafkaAddress(String requestTopic, String replyTopic, String group) {

    static KafkaAddress of(Row row) {
        return new KafkaAddress(row.address("request-topic"), row.address("reply-topic"), row.address("group"));
    }
}
