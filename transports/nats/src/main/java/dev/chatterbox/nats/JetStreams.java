package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.connection.RefusedException;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What both sides of JetStream share: the headers of requests and replies, the streams, and their acknowledgements. */
public final class JetStreams {

    /** The header with the reply subject: the server does not store a message's own reply subject. */
    public static final String REPLY_TO = "Reply-To";

    /** The reply repeats this header. A request that has it wants its reply to be stored, and so to be acknowledged. */
    public static final String CORRELATION_ID = "Correlation-Id";

    /** Less than a call's default deadline, 5 s, so that the next consumer can answer in time. */
    static final Duration ACK_WAIT = Duration.ofSeconds(3);

    /** The same as jnats' default. It is set because it decides how replies and acknowledgements are batched. */
    static final int PULL_BATCH = 500;

    /**
     * How long the server may send messages for one pull; by default 30 s. If a consumer keeps its connection but takes
     * nothing, the server gives it messages for so long, and half of them again after each {@link #ACK_WAIT}.
     */
    static final Duration PULL_EXPIRY = Duration.ofSeconds(3);

    /** The most messages in a consumer's hands; by default 1000, which would limit what is in flight. */
    static final int MOST_UNACKNOWLEDGED = 200_000;

    /** An acknowledgement without an error begins so, and has the stream's name next. */
    private static final byte[] STORED = "{\"stream\":".getBytes(StandardCharsets.US_ASCII);

    /** Bytes for the headers, which the server counts as part of a message. */
    static final int HEADERS = 512;

    private static final int STREAM_IS_DIFFERENT = 10058;
    private static final int SUBJECTS_OVERLAP = 10065;

    private JetStreams() {}

    /**
     * Makes a stream if it is missing, and updates a stream that has another configuration.
     *
     * @throws RefusedException another stream has one of its subjects
     */
    public static void make(Connection connection, StreamConfiguration stream)
            throws IOException, JetStreamApiException {
        JetStreamManagement management = connection.jetStreamManagement();
        try {
            management.addStream(stream);
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() == SUBJECTS_OVERLAP) {
                List<String> others = new ArrayList<>();
                for (String subject : stream.getSubjects()) {
                    others.addAll(management.getStreamNames(subject));
                }
                throw new RefusedException("the subjects %s are those of the stream %s"
                        .formatted(String.join(", ", stream.getSubjects()), String.join(", ", others)));
            }
            if (e.getApiErrorCode() != STREAM_IS_DIFFERENT) {
                throw e;
            }
            management.updateStream(stream);
        }
    }

    static ConsumeOptions pull(Duration expiry) {
        return ConsumeOptions.builder()
                .batchSize(PULL_BATCH)
                .expiresIn(expiry.toMillis())
                .build();
    }

    /** The stream that stored a message, if this is the server's acknowledgement and not an answer to the message. */
    static Optional<String> storedBy(byte[] body) {
        if (body.length == 0 || body[0] != STORED[0] || Arrays.mismatch(body, STORED) != STORED.length) {
            return Optional.empty();
        }
        String[] parts = new String(body, StandardCharsets.UTF_8).split("\"", 5);
        return Optional.of(parts.length > 3 ? parts[3] : "?");
    }

    /**
     * @param ack the server's answer to a message
     * @param what was to be stored, for the message of the error
     * @param noStream the message of the error where no stream takes it
     * @throws CallException it was not stored, or this is no acknowledgement
     */
    static void requireStored(Message ack, String what, String noStream) {
        if (ack.isStatusMessage()) {
            throw CallException.unavailable(noStream);
        }
        if (Arrays.mismatch(ack.getData(), STORED) == STORED.length) {
            return;
        }
        try {
            new PublishAck(ack);
        } catch (JetStreamApiException e) {
            throw notStored(what, e);
        } catch (IOException e) {
            throw CallException.error("an acknowledgement that cannot be read");
        }
    }

    static CallException notStored(String what, Exception error) {
        return CallException.unavailable("the %s was not stored: %s".formatted(what, error.getMessage()));
    }
}
