package dev.chatterbox.aggregator.nats;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.service.ServiceMessage;

/** Requests and replies as the NATS responder writes and reads them. */
final class NatsMessages {

    private NatsMessages() {}

    static byte[] body(SquareRequest request) {
        return Input.newBuilder().setNumber(request.number()).build().toByteArray();
    }

    /** @throws CallException it is an error reply, or none that can be read */
    static Output output(Message reply) {
        Headers headers = reply.hasHeaders() ? reply.getHeaders() : null;
        String reason = headers == null ? null : headers.getFirst(ServiceMessage.NATS_SERVICE_ERROR);
        if (reason != null) {
            throw new CallException(Outcome.ERROR, "an error reply: " + reason);
        }
        try {
            return Output.parseFrom(reply.getData());
        } catch (InvalidProtocolBufferException e) {
            throw new CallException(Outcome.ERROR, "a reply that is not a square.Output message");
        }
    }
}
