package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import reactor.core.publisher.Mono;

/**
 * Requests that JetStream stores, with an acknowledgement of each (PubAck), and a {@link ReplyInbox} that they name in
 * a header. Both are matched by a correlation id of our own: jnats' {@code publishAsync} is a {@code request()}, with
 * a future and a map entry a message. A call ends with its reply, which says more than that the request was stored; an
 * acknowledgement that says otherwise ends it too, and one that does not come is bounded by the call's deadline.
 *
 * <p>Replies and acknowledgements arrive on the thread of a dispatcher each.
 */
class JetStreamSquareClient implements SquareClient, NatsLink.Client {

    private final JetStreamSettings settings;
    private final String subject;
    private final NatsLink link;
    private final ReplyInbox replies;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private volatile String acks = "";

    JetStreamSquareClient(Row row, ClientSettings told, CallLimits limits, MeterRegistry meters) {
        settings = told.as(JetStreamSettings.class);
        subject = row.address("subject") + "." + settings.storage();
        pending = new PendingCalls(row.name(), limits.maxInFlight(), meters);
        link = new NatsLink(row, settings.target(), limits.maxInFlight(), this);
        BiConsumer<String, Message> replied = (id, reply) -> JetStreamMessages.replied(pending, id, reply);
        replies = switch (settings.replies()) {
            case CORE -> new CoreReplies(replied);
            case STREAM -> StoredReplies.of(row, settings.storage(), replied);
        };
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        Connection connection = link.requireConnected();
        String id = Long.toString(correlationId, Character.MAX_RADIX);
        try {
            connection.publish(subject, acks + id, replies.address(id), request.body());
        } catch (IllegalStateException e) {
            // The connection went away just now.
            throw link.unavailable();
        }
    }

    @Override
    public void connected(Connection connection) {
        acks = connection.createInbox() + ".";
        connection.createDispatcher(this::acknowledged).subscribe(acks + "*");
        replies.open(connection);
    }

    /** What was stored may be answered after all, and late. */
    @Override
    public void disconnected(CallException error) {
        pending.failAll(error);
    }

    private void acknowledged(Message ack) {
        try {
            JetStreamMessages.requireStored(ack, subject);
        } catch (CallException e) {
            pending.fail(Long.parseLong(ack.getSubject().substring(acks.length()), Character.MAX_RADIX), e);
        }
    }

    @Override
    public Mono<Void> check() {
        return link.check();
    }

    boolean connected() {
        return link.connected() && replies.ready();
    }

    int outstanding() {
        return pending.size();
    }

    @Override
    public long maxBytesInFlight() {
        return NatsLink.MOST_BYTES;
    }

    @Override
    public MessageLimit messageLimit() {
        return JetStreamMessages.limit(link.messageLimit());
    }

    @Override
    public Map<String, Object> settings() {
        boolean stored = settings.replies() == JetStreamSettings.Replies.STREAM;
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("server", link.server());
        shown.put("version", "jnats " + Nats.CLIENT_VERSION);
        shown.put("requests", "a work-queue stream, storage " + settings.storage());
        shown.put("replies", stored ? "a stream, storage " + settings.storage() : "core NATS, not stored");
        shown.put("acknowledged", stored ? "requests and replies" : "requests");
        shown.put("connections", 1);
        settings.showDelivery(shown);
        return shown;
    }

    @Override
    public void start() {
        link.start();
    }

    @Override
    public void stop() {
        pending.close();
        replies.close();
        link.stop();
    }
}
