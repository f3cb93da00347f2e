package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.Deviation;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * What jnats' documentation shows first: {@code Nats.connect()} and {@code request()}, with the library's
 * defaults. Each request is written to the socket by itself. Replies arrive on jnats' inbox thread, the deadline's
 * error on Reactor's timer.
 */
class NatsStockSquareClient implements SquareClient {

    private static final Logger log = LoggerFactory.getLogger(NatsStockSquareClient.class);

    private final NatsTarget target;
    private final String subject;
    private final String service;
    private volatile @Nullable Connection connection;
    private volatile boolean stopped;

    NatsStockSquareClient(Row row, ClientSettings told) {
        target = told.as(NatsSettings.class).target();
        subject = row.address("subject");
        service = row.address("queue-group");
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return request(subject, request.body())
                .map(message -> NatsMessages.read(request, message))
                .timeout(request.timeout())
                .onErrorMap(TimeoutException.class, timeout -> request.timedOut());
    }

    private Mono<Message> request(String to, byte @Nullable [] body) {
        return Mono.defer(() -> {
                    Connection current = connection;
                    return current == null ? Mono.error(notConnected()) : Mono.fromFuture(current.request(to, body));
                })
                // jnats' way to say that nobody listens, and also that the connection was closed.
                .onErrorMap(
                        CancellationException.class,
                        cancelled -> stopped
                                ? CallException.stopping()
                                : new CallException(
                                        Outcome.UNAVAILABLE, "no responder listens on the subject " + subject))
                .onErrorMap(IllegalStateException.class, closed -> notConnected());
    }

    private CallException notConnected() {
        return stopped
                ? CallException.stopping()
                : new CallException(Outcome.UNAVAILABLE, "no connection to the NATS server at " + target.server());
    }

    /** Pings the service, as {@code nats micro ping} does. */
    @Override
    public Mono<Void> check() {
        return request("$SRV.PING." + service, null).then();
    }

    boolean connected() {
        Connection current = connection;
        return current != null && current.getStatus() == Connection.Status.CONNECTED;
    }

    /** As jnats counts them: one that was given up counts until its next sweep, within five seconds. */
    int outstanding() {
        Connection current = connection;
        return current == null ? 0 : (int) current.getStatistics().getOutstandingRequests();
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
        return NatsLink.messageLimit(connection);
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("server", target.server());
        shown.put("requester", "jnats, a flush a request");
        shown.put("connections", 1);
        shown.put("reconnects", Options.DEFAULT_MAX_RECONNECT);
        shown.put("delivery", "at most once, nothing stored");
        return shown;
    }

    /** Beyond this, jnats' queue is full and {@code request()} holds its caller. */
    @Override
    public int maxInFlight() {
        return Options.DEFAULT_MAX_MESSAGES_IN_OUTGOING_QUEUE;
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::connect, "nats-stock-start");
        thread.setDaemon(true);
        thread.start();
    }

    private void connect() {
        try {
            connection = Nats.connect(target.options().build());
        } catch (IOException e) {
            log.warn("No NATS server answers at {}: {}", target.server(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        stopped = true;
        Connection current = connection;
        if (current != null) {
            try {
                current.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
