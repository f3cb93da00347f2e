package dev.chatterbox.aggregator.rabbitmq;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replies as the RabbitMQ responder writes them. */
final class RabbitMqMessages {

    private RabbitMqMessages() {}

    /** @throws CallException it is an error reply, none that can be read, or not right */
    static SquareReply read(SquareRequest request, @Nullable Map<String, Object> headers, byte[] body) {
        Object reason = headers == null ? null : headers.get("chatterbox_error");
        if (reason != null) {
            throw new CallException(Outcome.ERROR, "an error reply: " + reason);
        }
        return request.read(body);
    }
}
