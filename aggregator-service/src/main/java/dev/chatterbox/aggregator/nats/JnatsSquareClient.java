package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;

/**
 * Request-reply over NATS core by jnats' own {@code request()}, as an application does it that has no table of
 * pending calls of its own. Replies arrive on jnats' inbox thread, the deadline's error on Reactor's timer. jnats
 * drops a reply that comes late, twice or for nobody without a word, so none is counted.
 */
class JnatsSquareClient implements SquareClient, NatsLink.Client {

    private final NatsLink link;

    JnatsSquareClient(Row row, ClientSettings told, CallLimits limits) {
        link = new NatsLink(row, told.as(NatsSettings.class).target(), limits.maxInFlight(), this);
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return Mono.defer(() -> Mono.fromFuture(link.requireConnected().request(link.subject(), request.body())))
                .map(message -> NatsMessages.read(request, message))
                // jnats' way to say that nobody listens, and also that the connection is closed.
                .onErrorMap(CancellationException.class, cancelled -> link.noResponder())
                .onErrorMap(IllegalStateException.class, disconnected -> link.unavailable())
                .timeout(request.timeout())
                .onErrorMap(TimeoutException.class, timeout -> request.timedOut());
    }

    @Override
    public void connected(Connection connection) {}

    @Override
    public void disconnected(CallException error) {}

    @Override
    public Mono<Void> check() {
        return link.check();
    }

    boolean connected() {
        return link.connected();
    }

    /** As jnats counts them: one that was given up counts until its next sweep, within five seconds. */
    int outstanding() {
        return (int) link.outstanding();
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
        shown.put("requester", "jnats, batched flushes");
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
        link.stop();
    }
}
