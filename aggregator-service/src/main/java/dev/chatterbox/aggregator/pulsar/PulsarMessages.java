package dev.chatterbox.aggregator.pulsar;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import org.apache.pulsar.client.api.Message;

/** Messages as the Pulsar responder takes and writes them. */
final class PulsarMessages {

    /** A property of a request, which comes back in its reply: a number, in digits and letters. */
    static final String CORRELATION_ID = "correlation_id";

    /** A property of a request: the topic to reply to. */
    static final String REPLY_TOPIC = "reply_topic";

    /** What a message takes besides its body at the most. */
    private static final int FRAME = 1_024;

    private static final int MAX_MESSAGE_SIZE = 5 << 20;

    static final MessageLimit LIMIT = new MessageLimit(
            MAX_MESSAGE_SIZE - FRAME, "maxMessageSize of %d less %d".formatted(MAX_MESSAGE_SIZE, FRAME));

    private PulsarMessages() {}

    /** @throws CallException it is an error reply, none that can be read, or not right */
    static SquareReply read(SquareRequest request, Message<byte[]> reply) {
        String error = reply.getProperty("chatterbox_error");
        if (error != null) {
            throw new CallException(Outcome.ERROR, "an error reply: " + error);
        }
        return request.read(reply.getData());
    }
}
