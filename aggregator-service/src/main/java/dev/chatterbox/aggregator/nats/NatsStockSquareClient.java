package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.Deviation;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import io.nats.client.Options;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * What jnats' documentation shows first: {@code Nats.connect()} and {@code request()}, with the library's
 * defaults. Each request is written to the socket by itself.
 */
class NatsStockSquareClient implements SquareClient {

    private final NatsEndpoint endpoint;
    private final StockConnection<Connection> connection;
    private final RequestCalls calls;

    NatsStockSquareClient(Row row, NatsSettings settings) {
        endpoint = new NatsEndpoint(row, settings.access());
        connection = new StockConnection<>(endpoint.access(), made -> made);
        calls = new RequestCalls(endpoint, connection::connection, connection::disconnectedMessage);
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
    public Set<Deviation> deviations() {
        return Set.of(Deviation.CONNECTS_ONCE, Deviation.WAITS_FOR_THE_BROKER);
    }

    @Override
    public long maxBytesInFlight() {
        return NatsEndpoint.MOST_BYTES;
    }

    @Override
    public MessageLimit messageLimit() {
        return NatsEndpoint.limit(connection.connection());
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("server", endpoint.access().server());
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
        connection.start();
    }

    @Override
    public void stop() {
        calls.stop();
        connection.stop();
    }
}
