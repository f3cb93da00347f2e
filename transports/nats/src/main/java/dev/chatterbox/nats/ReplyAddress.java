package dev.chatterbox.nats;

import dev.chatterbox.client.CorrelatedClient;
import dev.chatterbox.connection.RefusedException;
import dev.chatterbox.variants.Variant;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.MessageHandler;
import io.nats.client.NUID;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.util.function.ObjLongConsumer;

/** Where replies to stored requests arrive over one connection, and the headers that tell the responder so. */
@FunctionalInterface
interface ReplyAddress {

    /** Nobody reads a reply of this age, because it is twice the default deadline of a call. */
    Duration MAX_AGE = Duration.ofSeconds(10);

    /** About half a million replies. The server drops the oldest ones for new ones. */
    long MOST_STORED_BYTES = 64 << 20;

    /** The headers of the request with this correlation id. */
    Headers of(String correlationId);

    /**
     * Replies over core NATS.
     *
     * @param replied as {@link NatsEndpoint#inbox} has it
     */
    static ReplyAddress inbox(Connection connection, ObjLongConsumer<Message> replied) {
        String inbox = NatsEndpoint.inbox(connection, replied);
        return correlationId -> new Headers().put(JetStreams.REPLY_TO, inbox + correlationId);
    }

    /**
     * Replies through a stream, which is made if it is missing. Each connection has a subject and an ordered consumer
     * of its own in it.
     *
     * @param replied as in {@link #inbox}
     */
    static ReplyAddress stream(
            Connection connection, Variant variant, StorageType storage, ObjLongConsumer<Message> replied)
            throws IOException {
        String stream = variant.address("stream") + "-replies-" + storage;
        String subjects = variant.address("subject") + ".replies." + storage;
        String subject = subjects + "." + NUID.nextGlobal();
        try {
            JetStreams.make(
                    connection,
                    StreamConfiguration.builder()
                            .name(stream)
                            .subjects(subjects + ".*")
                            .storageType(storage)
                            .retentionPolicy(RetentionPolicy.Limits)
                            .maxAge(MAX_AGE)
                            .maxBytes(MOST_STORED_BYTES)
                            .build());
            OrderedConsumerConfiguration own =
                    new OrderedConsumerConfiguration().filterSubject(subject).deliverPolicy(DeliverPolicy.New);
            MessageHandler handler = reply -> {
                String id = NatsReply.header(reply.getHeaders(), JetStreams.CORRELATION_ID);
                replied.accept(reply, CorrelatedClient.correlationId(id, 0));
            };
            connection
                    .getStreamContext(stream)
                    .createOrderedConsumer(own)
                    .consume(ConsumeOptions.DEFAULT_CONSUME_OPTIONS, connection.createDispatcher(), handler);
        } catch (IOException | JetStreamApiException e) {
            throw new RefusedException(
                    "the stream of replies, %s, cannot be opened: %s".formatted(stream, e.getMessage()));
        }
        return correlationId ->
                new Headers().put(JetStreams.REPLY_TO, subject).put(JetStreams.CORRELATION_ID, correlationId);
    }
}
