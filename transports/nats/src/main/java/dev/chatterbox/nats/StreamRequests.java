package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.connection.RefusedException;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.traces.WorkSpan;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.service.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Requests that JetStream stores. There are two work-queue streams, one on file and one in memory, each with a durable
 * consumer from which all responders pull. Each connection makes both streams if they are missing, because a stream in
 * memory ends with its server. In a cluster there is only the one on file: when two of three servers have died, a
 * stream in memory has no leader until both are back, and requests on file would wait for it.
 *
 * <p>A request is acknowledged after it was answered, when its delay begins, or when it is dropped on demand. If the
 * responder dies before that, another one gets the request after {@link JetStreams#ACK_WAIT}, so it may be answered
 * twice.
 *
 * @param stream the streams are {@code <stream>-file} and, outside of a cluster, {@code <stream>-memory}
 * @param subject requests come to {@code <subject>.file} and {@code <subject>.memory}
 * @param group the name of the durable consumers, and of this service
 * @param maxAge the server drops a request that nobody has taken for so long, because its requester has given up
 * @param replicas how many servers of a cluster store each request
 */
record StreamRequests(
        String stream, String subject, String group, Duration maxAge, int replicas, SquareResponder responder)
        implements NatsConnection.Setup<Service> {

    /** Further requests are refused, which requesters notice. Twice the 100,000 calls that may be in flight. */
    private static final int MOST_STORED = 200_000;

    private static final long MOST_STORED_BYTES = 64 << 20;

    /**
     * How long a pull lasts in a cluster: a pull ends without a word when its server dies, and only the next one finds
     * the others.
     */
    private static final Duration PULL_EXPIRY_IN_A_CLUSTER = Duration.ofSeconds(1);

    @Override
    public Service make(Connection connection) throws IOException {
        String ackInbox = connection.createInbox();
        connection.createDispatcher(this::acknowledged).subscribe(ackInbox);
        Dispatcher requests = connection.createDispatcher();
        try {
            // All are made before one is read: a connection that is given up takes no requests with it.
            for (StorageType storage : storages()) {
                makeStream(connection, storage);
            }
            for (StorageType storage : storages()) {
                consume(connection, requests, ackInbox, storage);
            }
        } catch (IOException | JetStreamApiException e) {
            throw new RefusedException("the streams %s cannot be opened: %s".formatted(stream, e.getMessage()));
        }
        Service service = ServiceRequests.service(connection, group).build();
        service.startService();
        return service;
    }

    private List<StorageType> storages() {
        return replicas > 1 ? List.of(StorageType.File) : List.of(StorageType.values());
    }

    private void makeStream(Connection connection, StorageType storage) throws IOException, JetStreamApiException {
        String name = stream + "-" + storage;
        JetStreams.make(
                connection,
                StreamConfiguration.builder()
                        .name(name)
                        .subjects(subject + "." + storage)
                        .storageType(storage)
                        .replicas(replicas)
                        .retentionPolicy(RetentionPolicy.WorkQueue)
                        .discardPolicy(DiscardPolicy.New)
                        .maxMessages(MOST_STORED)
                        .maxBytes(MOST_STORED_BYTES)
                        .maxAge(maxAge)
                        .build());
        ConsumerConfiguration consumer = ConsumerConfiguration.builder()
                .durable(group)
                .ackPolicy(AckPolicy.Explicit)
                .ackWait(JetStreams.ACK_WAIT)
                .maxAckPending(JetStreams.MOST_UNACKNOWLEDGED)
                .build();
        connection.jetStreamManagement().addOrUpdateConsumer(name, consumer);
    }

    /**
     * @param requests the dispatcher whose thread answers
     * @param ackInbox the subject on which stored replies are acknowledged
     */
    private void consume(Connection connection, Dispatcher requests, String ackInbox, StorageType storage)
            throws IOException, JetStreamApiException {
        connection
                .getConsumerContext(stream + "-" + storage, group)
                .consume(
                        JetStreams.pull(replicas > 1 ? PULL_EXPIRY_IN_A_CLUSTER : JetStreams.PULL_EXPIRY),
                        requests,
                        request -> answer(connection, ackInbox, request));
    }

    /** Runs on the dispatcher's thread, one request after the other. */
    private void answer(Connection connection, String ackInbox, Message request) {
        Headers headers = request.getHeaders();
        String replyTo = NatsReply.header(headers, JetStreams.REPLY_TO);
        if (replyTo == null) {
            responder.refuse("it names no subject to reply to in " + JetStreams.REPLY_TO, Reply.NOWHERE);
        } else {
            String correlationId = NatsReply.header(headers, JetStreams.CORRELATION_ID);
            String ackTo = correlationId == null ? null : ackInbox;
            WorkSpan span = responder.trace(NatsReply.header(headers, Traces.PARENT));
            responder.answer(
                    request.getData(), new NatsReply(connection, replyTo, correlationId, ackTo, span, responder));
        }
        request.ack();
    }

    /** Runs on a dispatcher thread of its own. */
    private void acknowledged(Message ack) {
        try {
            JetStreams.requireStored(ack, "reply", "no stream takes the reply");
        } catch (CallException e) {
            responder.undeliverable(String.valueOf(e.getMessage()));
        }
    }
}
