package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CorrelatedClient;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.nats.NatsAccess;
import dev.chatterbox.nats.NatsConnection;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.service.ServiceMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the calls of a row go, and what is the same for whoever makes them.
 *
 * @param row its name
 * @param subject that the responder listens on
 * @param service the responder's name by the services convention
 */
record NatsEndpoint(String row, NatsAccess access, String subject, String service) {

    /**
     * Bytes of payloads that may be under way: half of the 64 MiB from which on nats-server (max_pending) and jnats (a
     * dispatcher's bytes) drop what a slow reader has not read, so that two aggregators fit.
     */
    static final long MOST_BYTES = 32 << 20;

    /** A requester's connection has nothing to drain, and jnats waits for its threads for about a second. */
    static final Duration STOP_WITHIN = Duration.ofSeconds(3);

    /** As long as no server has said another: the default of nats-server. */
    private static final int DEFAULT_LIMIT = 1 << 20;

    /**
     * A server that has stopped reading is noticed after this time, instead of a minute: until then what is published
     * stays in memory, also after its deadline.
     */
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration PING_WITHIN = Duration.ofSeconds(5);

    NatsEndpoint(Row row, NatsAccess access) {
        this(row.name(), access, row.address("subject"), row.address("queue-group"));
    }

    /**
     * Connects.
     *
     * @param maxInFlight how many calls may be outstanding at once
     */
    <T> NatsConnection<T> open(int maxInFlight, NatsConnection.Setup<T> setup)
            throws IOException, InterruptedException, TimeoutException {
        return NatsConnection.open(
                access,
                // By default each request is written to the socket by itself.
                options -> options.dontForceFlushOnRequest()
                        .connectionName("aggregator-service " + row)
                        .socketWriteTimeout(WRITE_TIMEOUT)
                        // Above what may be in flight: a full queue would block the thread that brings the replies.
                        .maxMessagesInOutgoingQueue(2 * maxInFlight + 1_000),
                Duration.ZERO,
                setup);
    }

    /**
     * Subscribes to an inbox: each message comes to a subject of its own below it, which ends with a correlation id.
     *
     * @param arrived takes messages with their correlation id, on the inbox's dispatcher thread
     * @return the subject, less the correlation id
     */
    static String inbox(Connection connection, ObjLongConsumer<Message> arrived) {
        String inbox = connection.createInbox() + ".";
        connection
                .createDispatcher(message ->
                        arrived.accept(message, CorrelatedClient.correlationId(message.getSubject(), inbox.length())))
                .subscribe(inbox + "*");
        return inbox;
    }

    /**
     * Pings the service, as {@code nats micro ping} does; a responder outside the services convention answers calls
     * only. It ends with a {@link CancellationException} where there is none.
     */
    CompletableFuture<Message> ping(Connection connection) {
        return connection.request("$SRV.PING." + service, null);
    }

    /** How many responders answer a ping, 0 or 1; waits for the answer. */
    int responders(Connection connection) throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Message> ping = ping(connection);
        try {
            ping.get(PING_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            return 1;
        } catch (CancellationException e) {
            return 0;
        } finally {
            ping.cancel(true);
        }
    }

    /** What is said where the server knows of no responder. */
    static String noResponder(String subject) {
        return "no responder listens on the subject " + subject;
    }

    /** As a reader of replies: an error reply has the headers of the services convention. */
    static SquareReply read(SquareRequest request, Message reply) {
        Headers headers = reply.getHeaders();
        return request.read(
                headers == null ? null : headers.getFirst(ServiceMessage.NATS_SERVICE_ERROR), reply.getData());
    }

    /** That of the server that is connected to. */
    static MessageLimit limit(@Nullable Connection connection) {
        long bytes = connection == null ? 0 : connection.getMaxPayload();
        return new MessageLimit(bytes <= 0 ? DEFAULT_LIMIT : (int) Math.min(bytes, Integer.MAX_VALUE), "max_payload");
    }
}
