package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.PendingCalls;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What the responder of stored requests reads and writes besides, and how the server says what it stored. */
final class JetStreamMessages {

    /** The subject to reply to: a stored message keeps no reply subject of its own. */
    static final String REPLY_TO = "Reply-To";

    /** Comes back in the reply, which is then acknowledged by a stream. */
    static final String CORRELATION_ID = "Correlation-Id";

    /** How the server begins an acknowledgement that holds no error. */
    private static final byte[] STORED = "{\"stream\":".getBytes(StandardCharsets.US_ASCII);

    /** Bytes for the headers, which the server counts as part of a message. */
    private static final int HEADERS = 512;

    private JetStreamMessages() {}

    /** @param server the limit of the server that is connected to */
    static MessageLimit limit(MessageLimit server) {
        return new MessageLimit(server.bytes() - HEADERS, "%s less %d".formatted(server.name(), HEADERS));
    }

    /** @throws CallException this is an acknowledgement that the message was not stored */
    static void requireStored(Message ack, String subject) {
        if (ack.isStatusMessage()) {
            throw new CallException(
                    Outcome.UNAVAILABLE,
                    "no stream stores the subject %s: no responder has been started yet".formatted(subject));
        }
        if (Arrays.mismatch(ack.getData(), STORED) == STORED.length) {
            return;
        }
        try {
            new PublishAck(ack);
        } catch (JetStreamApiException e) {
            throw notStored(e);
        } catch (IOException e) {
            throw new CallException(Outcome.ERROR, "an acknowledgement that cannot be read");
        }
    }

    /** Ends the call with this correlation id as its reply says. */
    static void replied(PendingCalls pending, String id, Message reply) {
        long correlationId;
        try {
            correlationId = Long.parseLong(id, Character.MAX_RADIX);
        } catch (NumberFormatException e) {
            pending.unmatched();
            return;
        }
        pending.reply(correlationId, reply, NatsMessages::read);
    }

    static CallException notStored(Exception error) {
        return new CallException(Outcome.UNAVAILABLE, "the request was not stored: " + error.getMessage());
    }
}
