package dev.chatterbox.aggregator.rabbitmq;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests and replies as the RabbitMQ responder reads and writes them. */
final class RabbitMqMessages {

    private RabbitMqMessages() {}

    static byte[] body(SquareRequest request) {
        return Input.newBuilder().setNumber(request.number()).build().toByteArray();
    }

    /** @throws CallException it is an error reply, or none that can be read */
    static Output output(@Nullable Map<String, Object> headers, byte[] body) {
        Object reason = headers == null ? null : headers.get("chatterbox_error");
        if (reason != null) {
            throw new CallException(Outcome.ERROR, "an error reply: " + reason);
        }
        try {
            return Output.parseFrom(body);
        } catch (InvalidProtocolBufferException e) {
            throw new CallException(Outcome.ERROR, "a reply that is not a square.Output message");
        }
    }
}
