package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.ClientSettings;
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
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What jnats' documentation shows first: {@code Nats.connect(url)} and the synchronous {@code JetStream.publish()},
 * which waits for the acknowledgement, with the library's defaults; on Reactor's threads for calls that block, as
 * Reactor's documentation says. Of request-reply over a stream neither says a word: replies come to an inbox of our
 * own, on its dispatcher thread.
 */
class JetStreamStockSquareClient implements SquareClient {

    private static final Logger log = LoggerFactory.getLogger(JetStreamStockSquareClient.class);

    private final JetStreamSettings settings;
    private final String subject;
    private final String service;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private final ReplyInbox replies;
    private volatile @Nullable Link link;
    private volatile boolean stopped;

    private record Link(Connection connection, JetStream jetStream) {}

    JetStreamStockSquareClient(Row row, ClientSettings told, CallLimits limits, MeterRegistry meters) {
        settings = told.as(JetStreamSettings.class);
        subject = row.address("subject") + "." + settings.storage();
        service = row.address("queue-group");
        pending = new PendingCalls(row.name(), limits.maxInFlight(), meters);
        replies = new CoreReplies((id, reply) -> JetStreamMessages.replied(pending, id, reply));
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        Link current = requireConnected();
        Schedulers.boundedElastic().schedule(() -> publish(current, correlationId, request));
    }

    private void publish(Link current, long correlationId, SquareRequest request) {
        Headers headers = replies.address(Long.toString(correlationId, Character.MAX_RADIX));
        try {
            current.jetStream.publish(subject, headers, request.body());
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            pending.fail(correlationId, JetStreamMessages.notStored(e));
        }
    }

    private Link requireConnected() {
        Link current = link;
        if (current == null) {
            throw stopped
                    ? CallException.stopping()
                    : new CallException(
                            Outcome.UNAVAILABLE, "no connection to the NATS server at " + settings.server());
        }
        return current;
    }

    /** Pings the service, as {@code nats micro ping} does. */
    @Override
    public Mono<Void> check() {
        return Mono.defer(() -> Mono.fromFuture(requireConnected().connection.request("$SRV.PING." + service, null)))
                .onErrorMap(
                        error -> !(error instanceof CallException),
                        error -> new CallException(
                                Outcome.UNAVAILABLE, "no responder answers as the service " + service))
                .then();
    }

    boolean connected() {
        Link current = link;
        return current != null && current.connection.getStatus() == Connection.Status.CONNECTED;
    }

    int outstanding() {
        return pending.size();
    }

    @Override
    public Set<Deviation> deviations() {
        return Set.of(Deviation.CONNECTS_ONCE, Deviation.WAITS_FOR_THE_BROKER);
    }

    @Override
    public long maxBytesInFlight() {
        return NatsLink.MOST_BYTES;
    }

    @Override
    public MessageLimit messageLimit() {
        Link current = link;
        return JetStreamMessages.limit(NatsLink.messageLimit(current == null ? null : current.connection));
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
        Thread thread = new Thread(this::connect, "jetstream-stock-start");
        thread.setDaemon(true);
        thread.start();
    }

    private void connect() {
        try {
            Connection connection = Nats.connect(settings.target().options().build());
            replies.open(connection);
            link = new Link(connection, connection.jetStream());
        } catch (IOException e) {
            log.warn("No NATS server answers at {}: {}", settings.server(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        stopped = true;
        pending.close();
        Link current = link;
        if (current != null) {
            try {
                current.connection.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
