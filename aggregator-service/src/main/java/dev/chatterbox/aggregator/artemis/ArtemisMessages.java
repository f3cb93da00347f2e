package dev.chatterbox.aggregator.artemis;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import org.jspecify.annotations.Nullable;

/** Replies as the Artemis responder writes them. */
final class ArtemisMessages {

    /** A property of an error reply: its reason. */
    static final String ERROR = "chatterbox_error";

    /** Larger ones travel in parts, through files of the broker, which the responder does not take. */
    static final MessageLimit LIMIT = new MessageLimit(100_000, "minLargeMessageSize of 102400 less what it encodes");

    private ArtemisMessages() {}

    /**
     * @param error the reason of an error reply; null where it is none
     * @throws CallException it is an error reply, none that can be read, or not right
     */
    static SquareReply read(SquareRequest request, @Nullable String error, byte[] body) {
        if (error != null) {
            throw new CallException(Outcome.ERROR, "an error reply: " + error);
        }
        return request.read(body);
    }
}
