package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Replies as the Kafka responders write them. */
final class KafkaMessages {

    private KafkaMessages() {}

    /** @throws CallException it is an error reply, none that can be read, or not right */
    static SquareReply read(SquareRequest request, ConsumerRecord<byte[], byte[]> reply) {
        Header error = reply.headers().lastHeader("chatterbox_error");
        if (error != null) {
            throw new CallException(
                    Outcome.ERROR, "an error reply: " + new String(error.value(), StandardCharsets.UTF_8));
        }
        return request.read(reply.value() == null ? new byte[0] : reply.value());
    }
}
