package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.nats.NatsConnection;
import dev.chatterbox.rows.Row;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * Request-reply over NATS core by jnats' own {@code request()}, as an application does it that has no table of
 * pending calls of its own.
 */
class JnatsSquareClient implements SquareClient {

    /** A server that comes back is found again within a second. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final NatsEndpoint endpoint;
    private final KeptConnection<NatsConnection<?>> connection;
    private final RequestCalls calls;

    JnatsSquareClient(Row row, NatsSettings settings, CallLimits limits) {
        endpoint = new NatsEndpoint(row, settings.access());
        connection = new KeptConnection<>(
                endpoint.access().broker(),
                PAUSE,
                NatsEndpoint.STOP_WITHIN,
                () -> endpoint.open(limits.maxInFlight(), made -> made),
                () -> {});
        calls = new RequestCalls(
                endpoint, () -> NatsConnection.connectionOf(connection.current()), connection::disconnectedMessage);
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return calls.square(request);
    }

    @Override
    public Mono<Void> check() {
        return calls.check();
    }

    @Override
    public long maxBytesInFlight() {
        return NatsEndpoint.MOST_BYTES;
    }

    @Override
    public MessageLimit messageLimit() {
        return NatsEndpoint.limit(NatsConnection.connectionOf(connection.current()));
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("server", endpoint.access().server());
        shown.put("requester", "jnats, batched flushes");
        shown.put("connections", 1);
        shown.put("delivery", "at most once, nothing stored");
        return shown;
    }

    @Override
    public void start() {
        connection.start();
    }

    @Override
    public void stop() {
        calls.stop();
        connection.stop();
    }
}
