package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.CorrelatedClient;
import dev.chatterbox.aggregator.client.Deviation;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What jnats' documentation shows first: {@code Nats.connect(url)} and the synchronous {@code JetStream.publish()},
 * which waits for the acknowledgement, with the library's defaults; on Reactor's threads for calls that block, as
 * Reactor's documentation says. Of request-reply over a stream neither says anything: replies come to an inbox of our
 * own, on its dispatcher thread.
 */
class JetStreamStockSquareClient implements SquareClient {

    private final JetStreamSettings settings;
    private final String subject;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private final StockConnection<Publisher> connection;
    private final RequestCalls pings;

    private record Publisher(JetStream jetStream, ReplyAddress replies) {}

    JetStreamStockSquareClient(Row row, JetStreamSettings settings, CallLimits limits, MeterRegistry meters) {
        this.settings = settings;
        NatsEndpoint endpoint = new NatsEndpoint(row, settings.access());
        subject = endpoint.subject() + "." + settings.storage();
        pending = new PendingCalls(row.name(), limits.maxInFlight(), meters);
        connection = new StockConnection<>(endpoint.access(), this::publisher);
        pings = new RequestCalls(endpoint, connection::connection, connection::disconnectedMessage);
    }

    private Publisher publisher(Connection made) throws IOException {
        return new Publisher(
                made.jetStream(),
                ReplyAddress.inbox(made, (reply, id) -> pending.reply(id, reply, NatsEndpoint::read)));
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        Publisher publisher = connection.made();
        if (publisher == null) {
            throw new CallException(Outcome.UNAVAILABLE, connection.disconnectedMessage());
        }
        Schedulers.boundedElastic().schedule(() -> publish(publisher, correlationId, request));
    }

    private void publish(Publisher publisher, long correlationId, SquareRequest request) {
        try {
            publisher.jetStream.publish(
                    subject, publisher.replies.of(CorrelatedClient.text(correlationId)), request.body());
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            pending.fail(correlationId, JetStreamMessages.notStored(e));
        }
    }

    @Override
    public Mono<Void> check() {
        return pings.check();
    }

    @Override
    public Set<Deviation> deviations() {
        return Set.of(Deviation.CONNECTS_ONCE, Deviation.WAITS_FOR_THE_BROKER);
    }

    @Override
    public long maxBytesInFlight() {
        return NatsEndpoint.MOST_BYTES;
    }

    @Override
    public MessageLimit messageLimit() {
        return JetStreamMessages.limit(connection.connection());
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("server", settings.server());
        shown.put("version", "jnats " + Nats.CLIENT_VERSION);
        shown.put("requester", "publish() waits for each acknowledgement");
        shown.put("publishing threads", Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
        shown.put("connections", 1);
        shown.put("reconnects", Options.DEFAULT_MAX_RECONNECT);
        settings.showDelivery(shown);
        return shown;
    }

    @Override
    public void start() {
        connection.start();
    }

    @Override
    public void stop() {
        pending.close();
        connection.stop();
    }
}
