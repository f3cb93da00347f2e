package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener.Events;
import io.nats.client.ConsumeOptions;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.NUID;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replies through a stream, in which each aggregator has a subject and an ordered consumer of its own. Makes the
 * stream where it is missing, and the consumer anew where the server has lost it: such a consumer ends with it.
 */
final class StoredReplies implements ReplyInbox {

    private static final Logger log = LoggerFactory.getLogger(StoredReplies.class);

    /** Nobody reads a reply that is so old: twice the deadline of a call by default. */
    private static final Duration MAX_AGE = Duration.ofSeconds(10);

    /** Half a million replies. The oldest give way. */
    private static final long MOST_BYTES = 64 << 20;

    private static final Duration RETRY = Duration.ofMillis(500);
    private static final int STREAM_IS_DIFFERENT = 10058;

    private final String stream;
    private final String subjects;
    private final String subject;
    private final StorageType storage;
    private final BiConsumer<String, Message> replied;
    private final ScheduledExecutorService opener = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "nats-replies");
        thread.setDaemon(true);
        return thread;
    });

    /** These two are used on the opener's thread only. */
    private @Nullable Dispatcher dispatcher;

    private @Nullable MessageConsumer consumer;

    private volatile boolean ready;

    /** @param replied takes correlation id, empty where there is none, and reply, on the dispatcher's thread */
    static StoredReplies of(Row row, StorageType storage, BiConsumer<String, Message> replied) {
        return new StoredReplies(
                row.address("stream") + "-replies-" + storage,
                row.address("subject") + ".replies." + storage,
                storage,
                replied);
    }

    private StoredReplies(String stream, String subject, StorageType storage, BiConsumer<String, Message> replied) {
        this.stream = stream;
        this.subjects = subject + ".*";
        this.subject = subject + "." + NUID.nextGlobal();
        this.storage = storage;
        this.replied = replied;
    }

    @Override
    public void open(Connection connection) {
        connection.addConnectionListener((same, event) -> {
            if (event == Events.DISCONNECTED) {
                ready = false;
            } else if (event == Events.RECONNECTED) {
                openSoon(connection, Duration.ZERO);
            }
        });
        openSoon(connection, Duration.ZERO);
    }

    private void openSoon(Connection connection, Duration delay) {
        try {
            opener.schedule(() -> openOrRetry(connection), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("This client stops", e);
        }
    }

    private void openOrRetry(Connection connection) {
        try {
            openNow(connection);
            ready = true;
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            log.warn("The stream {} cannot be opened, keeps trying: {}", stream, e.getMessage());
            if (connection.getStatus() != Connection.Status.CLOSED) {
                openSoon(connection, RETRY);
            }
        }
    }

    private void openNow(Connection connection) throws IOException, JetStreamApiException {
        if (consumer != null) {
            try {
                consumer.close();
            } catch (Exception e) {
                log.debug("It was gone already", e);
            }
        }
        makeStream(connection.jetStreamManagement());
        if (dispatcher == null || !dispatcher.isActive()) {
            dispatcher = connection.createDispatcher();
        }
        consumer = connection
                .getStreamContext(stream)
                .createOrderedConsumer(new OrderedConsumerConfiguration()
                        .filterSubject(subject)
                        .deliverPolicy(DeliverPolicy.New))
                .consume(ConsumeOptions.DEFAULT_CONSUME_OPTIONS, dispatcher, this::arrived);
    }

    private void makeStream(JetStreamManagement management) throws IOException, JetStreamApiException {
        StreamConfiguration configuration = StreamConfiguration.builder()
                .name(stream)
                .subjects(subjects)
                .storageType(storage)
                .retentionPolicy(RetentionPolicy.Limits)
                .maxAge(MAX_AGE)
                .maxBytes(MOST_BYTES)
                .build();
        try {
            management.addStream(configuration);
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() != STREAM_IS_DIFFERENT) {
                throw e;
            }
            management.updateStream(configuration);
        }
    }

    private void arrived(Message reply) {
        String correlationId =
                reply.hasHeaders() ? reply.getHeaders().getFirst(JetStreamMessages.CORRELATION_ID) : null;
        replied.accept(correlationId == null ? "" : correlationId, reply);
    }

    @Override
    public boolean ready() {
        return ready;
    }

    @Override
    public Headers address(String correlationId) {
        if (!ready) {
            throw new CallException(Outcome.UNAVAILABLE, "the stream of replies, %s, is not open".formatted(stream));
        }
        return new Headers()
                .put(JetStreamMessages.REPLY_TO, subject)
                .put(JetStreamMessages.CORRELATION_ID, correlationId);
    }

    @Override
    public void close() {
        opener.shutdownNow();
    }
}
