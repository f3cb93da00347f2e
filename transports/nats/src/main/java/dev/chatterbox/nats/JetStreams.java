package dev.chatterbox.nats;

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
import java.util.Arrays;

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

    /** An acknowledgement without an error begins so. */
    private static final byte[] STORED = "{\"stream\":".getBytes(StandardCharsets.US_ASCII);

    private static final int STREAM_IS_DIFFERENT = 10058;

    private JetStreams() {}

    /** Makes a stream if it is missing, and updates a stream that has another configuration. */
    public static void make(Connection connection, StreamConfiguration stream)
            throws IOException, JetStreamApiException {
        JetStreamManagement management = connection.jetStreamManagement();
        try {
            management.addStream(stream);
        } catch (JetStreamApiException e) {
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

    /**
     * @param ack the server's answer to a message; a status message says that no stream takes it
     * @throws JetStreamApiException the message was not stored
     * @throws IOException this is no acknowledgement
     */
    public static void requireStored(Message ack) throws IOException, JetStreamApiException {
        if (Arrays.mismatch(ack.getData(), STORED) != STORED.length) {
            new PublishAck(ack);
        }
    }
}
