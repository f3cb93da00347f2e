package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import io.nats.client.Connection;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A client by jnats' own {@code request()}. Replies arrive on jnats' inbox thread, the deadline's error on Reactor's
 * timer. jnats silently drops a reply that comes late, twice or for no call, so that none is counted.
 */
abstract class NatsRequestClient implements SquareClient {

    final NatsEndpoint endpoint;
    private final StockCalls calls = new StockCalls(this::error);

    NatsRequestClient(NatsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** The open connection; null if none is open. */
    abstract @Nullable Connection open();

    /** The message while no connection is open. */
    abstract String disconnectedMessage();

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return calls.timed(
                request,
                () -> overConnection(
                                open -> open.request(endpoint.subject(), NatsEndpoint.headers(request), request.body()))
                        .map(reply -> NatsEndpoint.read(request, reply)));
    }

    @Override
    public final Mono<Void> check() {
        return Mono.defer(() -> overConnection(endpoint::ping))
                .onErrorMap(this::error)
                .then();
    }

    private <T> Mono<T> overConnection(Function<Connection, CompletableFuture<T>> sent) {
        Connection open = open();
        return open == null
                ? Mono.error(new IllegalStateException("not connected"))
                : Mono.fromFuture(sent.apply(open));
    }

    /** jnats cancels a call if nobody listens on its subject, and all calls when the connection is closed. */
    private CallException error(Throwable error) {
        Connection open = open();
        boolean connected = open != null && open.getStatus() == Connection.Status.CONNECTED;
        return new CallException(
                Outcome.UNAVAILABLE,
                !connected
                        ? disconnectedMessage()
                        : error instanceof CancellationException
                                ? NatsEndpoint.noResponder(endpoint.subject())
                                : "jnats did not send the request: " + error);
    }

    @Override
    public final long maxBytesInFlight() {
        return NatsEndpoint.MOST_BYTES;
    }

    @Override
    public MessageLimit messageLimit() {
        return NatsEndpoint.limit(open());
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of("server", endpoint.access().server());
    }

    @Override
    public void stop() {
        calls.stop();
    }
}
