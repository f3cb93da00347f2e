package dev.chatterbox.aggregator.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Requests and replies as the Kafka responders write and read them. */
final class KafkaMessages {

    private KafkaMessages() {}

    static byte[] body(SquareRequest request) {
        return Input.newBuilder().setNumber(request.number()).build().toByteArray();
    }

    /** @throws CallException it is an error reply, or none that can be read */
    static Output output(ConsumerRecord<byte[], byte[]> reply) {
        Header error = reply.headers().lastHeader("chatterbox_error");
        if (error != null) {
            throw new CallException(
                    Outcome.ERROR, "an error reply: " + new String(error.value(), StandardCharsets.UTF_8));
        }
        try {
            return Output.parseFrom(reply.value() == null ? new byte[0] : reply.value());
        } catch (InvalidProtocolBufferException e) {
            throw new CallException(Outcome.ERROR, "a reply that is not a square.Output message");
        }
    }
}
