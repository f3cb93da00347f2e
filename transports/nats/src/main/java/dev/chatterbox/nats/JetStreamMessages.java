package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.MessageLimit;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What stored requests need in addition to those over core NATS. */
final class JetStreamMessages {

    /** Bytes for the headers, which the server counts as part of a message. */
    private static final int HEADERS = 512;

    private JetStreamMessages() {}

    /** The server's limit, less the headers: the largest body. */
    static MessageLimit limit(@Nullable Connection connection) {
        return NatsEndpoint.limit(connection).less(HEADERS);
    }

    /** @throws CallException the acknowledgement says that the message was not stored */
    static void requireStored(Message ack, String subject) {
        if (ack.isStatusMessage()) {
            throw CallException.unavailable(
                    "no stream stores the subject %s: no responder has been started yet, or its servers have no leader"
                            .formatted(subject));
        }
        try {
            JetStreams.requireStored(ack);
        } catch (JetStreamApiException e) {
            throw notStored(e);
        } catch (IOException e) {
            throw CallException.error("an acknowledgement that cannot be read");
        }
    }

    static CallException notStored(Exception error) {
        return CallException.unavailable("the request was not stored: " + error.getMessage());
    }
}
