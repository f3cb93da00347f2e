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
import java.util.LinkedHashMap;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * Request-reply over NATS core, with one inbox subscription: as jnats' own {@code request()}, without its future, its
 * lock and its flush a request ({@link JnatsSquareClient} and {@link NatsStockSquareClient} are there to be
 * compared). Replies, and the server's word that nobody listens, arrive on the inbox's dispatcher thread.
 */
class NatsSquareClient implements SquareClient, NatsLink.Client {

    private static final int NO_RESPONDERS = 503;

    private final NatsLink link;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private final String batchSubject;
    private volatile String inbox = "";

    NatsSquareClient(Row row, ClientSettings told, CallLimits limits, MeterRegistry meters) {
        pending = new PendingCalls(row.name(), limits.maxInFlight(), meters);
        link = new NatsLink(row, told.as(NatsSettings.class).target(), limits.maxInFlight(), this);
        batchSubject = link.subject() + ".batch";
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        Connection connection = link.requireConnected();
        try {
            connection.publish(
                    request.batch() ? batchSubject : link.subject(),
                    inbox + Long.toString(correlationId, Character.MAX_RADIX),
                    request.body());
        } catch (IllegalStateException e) {
            // The connection went away just now.
            throw link.unavailable();
        }
    }

    @Override
    public void connected(Connection connection) {
        String prefix = connection.createInbox() + ".";
        inbox = prefix;
        connection.createDispatcher(this::replied).subscribe(prefix + "*");
    }

    /** The server forgets a connection's messages with it. */
    @Override
    public void disconnected(CallException error) {
        pending.failAll(error);
    }

    /** Runs on the inbox's dispatcher thread. */
    private void replied(Message message) {
        String subject = message.getSubject();
        long correlationId;
        try {
            correlationId = Long.parseLong(subject, inbox.length(), subject.length(), Character.MAX_RADIX);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            pending.unmatched();
            return;
        }
        if (message.isStatusMessage() && message.getStatus().getCode() == NO_RESPONDERS) {
            pending.fail(correlationId, link.noResponder());
            return;
        }
        pending.reply(correlationId, message, NatsMessages::read);
    }

    @Override
    public Mono<Void> check() {
        return link.check();
    }

    boolean connected() {
        return link.connected();
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
        return link.messageLimit();
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("server", link.server());
        shown.put("requester", "own, batched flushes");
        shown.put("connections", 1);
        shown.put("delivery", "at most once, nothing stored");
        return shown;
    }

    @Override
    public void start() {
        link.start();
    }

    @Override
    public void stop() {
        pending.close();
        link.stop();
    }
}
