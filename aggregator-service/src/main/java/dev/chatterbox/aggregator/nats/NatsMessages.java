package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.service.ServiceMessage;

/** Replies as the NATS responder writes them. */
final class NatsMessages {

    private NatsMessages() {}

    /** @throws CallException it is an error reply, none that can be read, or not right */
    static SquareReply read(SquareRequest request, Message reply) {
        Headers headers = reply.hasHeaders() ? reply.getHeaders() : null;
        String reason = headers == null ? null : headers.getFirst(ServiceMessage.NATS_SERVICE_ERROR);
        if (reason != null) {
            throw new CallException(Outcome.ERROR, "an error reply: " + reason);
        }
        return request.read(reply.getData());
    }
}
