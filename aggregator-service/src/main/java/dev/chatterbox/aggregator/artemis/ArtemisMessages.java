package dev.chatterbox.aggregator.artemis;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import org.jspecify.annotations.Nullable;

/** Requests and replies as the Artemis responder writes and reads them. */
final class ArtemisMessages {

    /** A property of an error reply: its reason. */
    static final String ERROR = "chatterbox_error";

    private ArtemisMessages() {}

    static byte[] body(SquareRequest request) {
        return Input.newBuilder().setNumber(request.number()).build().toByteArray();
    }

    /**
     * @param error the reason of an error reply; null where it is none
     * @throws CallException it is an error reply, or none that can be read
     */
    static Output output(@Nullable String error, byte[] body) {
        if (error != null) {
            throw new CallException(Outcome.ERROR, "an error reply: " + error);
        }
        try {
            return Output.parseFrom(body);
        } catch (InvalidProtocolBufferException e) {
            throw new CallException(Outcome.ERROR, "a reply that is not a square.Output message");
        }
    }
}
