package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CorrelatedClient;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.variants.Variant;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.service.ServiceMessage;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the calls of a variant go, and what all clients over NATS share.
 *
 * @param variant the name of the variant
 * @param subject the responder listens on it
 * @param service the responder's name in the NATS services convention
 */
record NatsEndpoint(String variant, NatsAccess access, String subject, String service) {

    /**
     * The most bytes of payloads in flight: half of 64 MiB, so that there is room for two aggregators. Above 64 MiB
     * nats-server (max_pending) ends the connection of a slow reader, and jnats (a dispatcher's bytes) drops messages.
     */
    static final long MOST_BYTES = 32 << 20;

    /** The default of nats-server, used until a server has sent its own limit. */
    private static final int DEFAULT_LIMIT = 1 << 20;

    /**
     * A server that has stopped reading is noticed after this time, instead of a minute. Until then published messages
     * stay in memory, even after their deadline.
     */
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration PING_WITHIN = Duration.ofSeconds(5);

    NatsEndpoint(Variant variant, NatsAccess access) {
        this(variant.name(), access, variant.address("subject"), variant.address("queue-group"));
    }

    /**
     * Connects.
     *
     * @param maxInFlight how many calls may be outstanding at once
     */
    <T> NatsConnection<T> open(int maxInFlight, NatsConnection.Setup<T> setup) throws Exception {
        return NatsConnection.open(
                access,
                // By default each request is written to the socket by itself.
                options -> options.dontForceFlushOnRequest()
                        .connectionName("aggregator-service " + variant)
                        .socketWriteTimeout(WRITE_TIMEOUT)
                        // More than may be in flight: a full queue would block the thread that receives replies.
                        .maxMessagesInOutgoingQueue(2 * maxInFlight + 1_000),
                Duration.ZERO,
                setup);
    }

    /**
     * Subscribes to an inbox: each message comes to a subject below it that ends with a correlation id.
     *
     * @param arrived takes messages with their correlation id, on the inbox's dispatcher thread
     * @return the subject without the correlation id
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
     * Pings the service, as {@code nats micro ping} does. A responder that does not follow the services convention
     * answers calls, but no pings. The future ends with a {@link CancellationException} if no responder listens.
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

    /** The message if the server knows of no responder. */
    static String noResponder(String subject) {
        return "no responder listens on the subject " + subject;
    }

    /** The headers of a request; null if it has none. */
    static @Nullable Headers headers(SquareRequest request) {
        return request.trace() == null ? null : traced(request, new Headers());
    }

    /** Adds the span of a request that is traced to its headers. */
    static Headers traced(SquareRequest request, Headers headers) {
        String parent = request.traceparent();
        return parent == null ? headers : headers.put(Traces.PARENT, parent);
    }

    /**
     * Reads a reply. An error reply has the headers of the services convention. Where somebody's stream has the subject
     * of the requests, its acknowledgement comes to the inbox, too, and often first.
     */
    static SquareReply read(SquareRequest request, Message reply) {
        JetStreams.storedBy(reply.getData()).ifPresent(stream -> {
            throw CallException.error(
                    "the stream %s of the server has the subject of the requests, and acknowledged it in place of a reply"
                            .formatted(stream));
        });
        return request.read(
                name -> NatsReply.header(reply.getHeaders(), name), ServiceMessage.NATS_SERVICE_ERROR, reply.getData());
    }

    /** The limit of the connected server. */
    static MessageLimit limit(@Nullable Connection connection) {
        long bytes = connection == null ? 0 : connection.getMaxPayload();
        return new MessageLimit(bytes <= 0 ? DEFAULT_LIMIT : (int) Math.min(bytes, Integer.MAX_VALUE), "max_payload");
    }
}
