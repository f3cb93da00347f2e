package dev.chatterbox.square.nats;

import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener.Events;
import io.nats.client.ConsumeOptions;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.PublishAck;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that JetStream stores: two work-queue streams, one on file and one in memory, and of each a durable
 * consumer that all responders pull from. Makes both where they are missing, and again where the server has lost them:
 * a stream in memory ends with it.
 *
 * <p>A request is acknowledged after it was answered, or when its delay began, or where it is dropped on demand. One
 * whose responder dies before that is delivered to another after {@link #ACK_WAIT}, so it may be answered twice.
 */
final class StreamRequests implements RequestSource {

    /** The subject to reply to: a stored message keeps no reply subject of its own. */
    static final String REPLY_TO = "Reply-To";

    /** Told back in the reply. A request that has one wants its reply stored, and so acknowledged. */
    static final String CORRELATION_ID = "Correlation-Id";

    /** By default 1000, which is then how many calls there can be in flight; here the streams' bounds are the limit. */
    private static final int MOST_UNACKNOWLEDGED = 200_000;

    /** More is refused, and the requester is told: a hundred thousand calls in flight are allowed, twice over. */
    private static final int MOST_STORED = 200_000;

    private static final long MOST_STORED_BYTES = 64 << 20;

    /** Less than the deadline of a call, 5 s by default, so that who takes over a request answers it in time. */
    private static final Duration ACK_WAIT = Duration.ofSeconds(3);

    /** jnats' default too; said because it decides how replies are batched. */
    private static final int PULL_BATCH = 500;

    /**
     * How long the server may send what was pulled for. By default 30 s: so long a responder that does not answer, but
     * keeps its connection, would be given requests, and given half of them again after each {@link #ACK_WAIT}.
     */
    private static final Duration PULL_EXPIRY = Duration.ofSeconds(3);

    private static final Duration RETRY = Duration.ofMillis(500);
    private static final int STREAM_IS_DIFFERENT = 10058;
    private static final Logger log = LoggerFactory.getLogger(StreamRequests.class);

    private final String stream;
    private final String subject;
    private final String group;
    private final Duration maxAge;
    private final SquareResponder responder;
    private final ScheduledExecutorService opener = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "nats-streams");
        thread.setDaemon(true);
        return thread;
    });

    /** Used on the opener's thread only. */
    private final List<MessageConsumer> consumers = new ArrayList<>();

    private @Nullable Link link;

    private volatile @Nullable String problem = "the streams are not open yet";

    /**
     * What is made once a connection, for jnats subscribes anew by itself.
     *
     * @param dispatcher whose thread answers
     * @param ackInbox where replies that are stored are acknowledged
     */
    private record Link(Connection connection, Dispatcher dispatcher, String ackInbox) {}

    /**
     * @param stream the streams are {@code <stream>-file} and {@code <stream>-memory}
     * @param subject requests come to {@code <subject>.file} and {@code <subject>.memory}
     * @param group the name of the durable consumers, and of this service
     * @param maxAge what nobody has taken for so long is dropped by the server, for its requester has given up
     */
    StreamRequests(String stream, String subject, String group, Duration maxAge, SquareResponder responder) {
        this.stream = stream;
        this.subject = subject;
        this.group = group;
        this.maxAge = maxAge;
        this.responder = responder;
    }

    @Override
    public void open(Connection connection) {
        connection.addConnectionListener((same, event) -> {
            if (event == Events.DISCONNECTED) {
                problem = "the streams are not open again yet";
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
            log.debug("This responder stops", e);
        }
    }

    private void openOrRetry(Connection connection) {
        try {
            openNow(connection);
            problem = null;
            log.info("Takes requests from the streams {}", stream);
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            String reason = "the streams %s cannot be opened: %s".formatted(stream, e.getMessage());
            if (!reason.equals(problem)) {
                log.warn("JetStream: {}; keeps trying", reason);
            }
            problem = reason;
            if (connection.getStatus() != Connection.Status.CLOSED) {
                openSoon(connection, RETRY);
            }
        }
    }

    private void openNow(Connection connection) throws IOException, JetStreamApiException {
        // jnats would notice only after some missed heartbeats that what it has pulled for is gone.
        for (MessageConsumer consumer : consumers) {
            try {
                consumer.close();
            } catch (Exception e) {
                log.debug("It was gone already", e);
            }
        }
        consumers.clear();
        Link current = link;
        if (current == null || current.connection != connection) {
            current = link(connection);
            link = current;
        }
        for (StorageType storage : StorageType.values()) {
            openNow(current, storage);
        }
    }

    private Link link(Connection connection) {
        String inbox = connection.createInbox();
        connection.createDispatcher(this::acknowledged).subscribe(inbox);
        ServiceRequests.service(connection, group).build().startService();
        return new Link(connection, connection.createDispatcher(), inbox);
    }

    private void openNow(Link current, StorageType storage) throws IOException, JetStreamApiException {
        String name = stream + "-" + storage;
        JetStreamManagement management = current.connection.jetStreamManagement();
        StreamConfiguration configuration = StreamConfiguration.builder()
                .name(name)
                .subjects(subject + "." + storage)
                .storageType(storage)
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .discardPolicy(DiscardPolicy.New)
                .maxMessages(MOST_STORED)
                .maxBytes(MOST_STORED_BYTES)
                .maxAge(maxAge)
                .build();
        try {
            management.addStream(configuration);
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() != STREAM_IS_DIFFERENT) {
                throw e;
            }
            management.updateStream(configuration);
        }
        management.addOrUpdateConsumer(
                name,
                ConsumerConfiguration.builder()
                        .durable(group)
                        .ackPolicy(AckPolicy.Explicit)
                        .ackWait(ACK_WAIT)
                        .maxAckPending(MOST_UNACKNOWLEDGED)
                        .build());
        consumers.add(current.connection
                .getConsumerContext(name, group)
                .consume(
                        ConsumeOptions.builder()
                                .batchSize(PULL_BATCH)
                                .expiresIn(PULL_EXPIRY.toMillis())
                                .build(),
                        current.dispatcher,
                        request -> answer(current, request)));
    }

    /** Runs on the dispatcher's thread, one request after the other. */
    private void answer(Link current, Message request) {
        String replyTo = header(request, REPLY_TO);
        if (replyTo == null) {
            responder.refuse("it names no subject to reply to in " + REPLY_TO, Reply.NOWHERE);
        } else {
            String correlationId = header(request, CORRELATION_ID);
            String ackTo = correlationId == null ? null : current.ackInbox;
            responder.answer(
                    request.getData(), new NatsReply(current.connection, replyTo, correlationId, ackTo, responder));
        }
        request.ack();
    }

    private static @Nullable String header(Message request, String name) {
        Headers headers = request.getHeaders();
        return headers == null ? null : headers.getFirst(name);
    }

    /** Runs on a dispatcher thread of its own. */
    private void acknowledged(Message ack) {
        if (ack.isStatusMessage()) {
            responder.undeliverable("no stream takes the reply");
            return;
        }
        try {
            new PublishAck(ack);
        } catch (IOException | JetStreamApiException e) {
            responder.undeliverable("the stream did not store the reply: " + e.getMessage());
        }
    }

    @Override
    public @Nullable String problem() {
        return problem;
    }

    @Override
    public void close() {
        opener.shutdownNow();
    }
}
