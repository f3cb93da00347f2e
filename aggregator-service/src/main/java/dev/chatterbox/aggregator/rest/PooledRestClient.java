package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.aggregator.client.SquareStream;
import dev.chatterbox.aggregator.client.SquareStreamClient;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * A client over the connections of {@link RestServers}, with its deadlines in {@link PendingCalls}. What is left to do is
 * to send a request to a server.
 *
 * @param <T> what sends requests to one server
 */
abstract class PooledRestClient<T> implements SquareStreamClient {

    /** Takes replies and failures. */
    final PendingCalls pending;

    private final RestServers servers;
    private final PendingCalls.Sender sender = this::send;
    private final List<T> targets;
    private final AtomicInteger turn = new AtomicInteger();

    PooledRestClient(
            Row row,
            RestSettings settings,
            CallLimits limits,
            MeterRegistry meters,
            Function<RestServers.Server, T> target) {
        servers = new RestServers(row, settings);
        pending = new PendingCalls(row.name(), limits.maxOutstanding(servers.maxInFlight()), meters);
        targets = servers.all().stream().map(target).toList();
    }

    /** Sends a request, without blocking, and has its {@link HttpCall} disposed of with the call. */
    abstract void send(T target, long correlationId, SquareRequest request);

    private void send(long correlationId, SquareRequest request) {
        send(targets.get(next()), correlationId, request);
    }

    private int next() {
        return targets.size() == 1 ? 0 : Math.floorMod(turn.getAndIncrement(), targets.size());
    }

    @Override
    public final SquareStream stream(int n) {
        return new RestStream(pending, servers.all().get(next()), n);
    }

    @Override
    public final MessageLimit streamedMessageLimit() {
        return RestMessages.STREAMED;
    }

    @Override
    public final Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    @Override
    public final Mono<Void> check() {
        return servers.check();
    }

    @Override
    public final Map<String, Object> settings() {
        return servers.settings();
    }

    @Override
    public final MessageLimit messageLimit() {
        return RestMessages.LIMIT;
    }

    @Override
    public final int maxInFlight() {
        return servers.maxInFlight();
    }

    @Override
    public final void start() {}

    @Override
    public final void stop() {
        pending.close();
        servers.close();
    }
}
