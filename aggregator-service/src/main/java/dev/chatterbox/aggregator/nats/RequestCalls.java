package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.aggregator.client.StockCalls;
import io.nats.client.Connection;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Calls by jnats' own {@code request()}. Replies arrive on jnats' inbox thread, the deadline's error on Reactor's timer.
 * jnats drops a reply that comes late, twice or for nobody without a word, so none is counted.
 */
final class RequestCalls {

    private final NatsEndpoint endpoint;
    private final Supplier<@Nullable Connection> connection;
    private final Supplier<String> disconnectedMessage;
    private final StockCalls calls = new StockCalls(this::error);

    /** @param connection the one that is open now, if one is */
    RequestCalls(
            NatsEndpoint endpoint, Supplier<@Nullable Connection> connection, Supplier<String> disconnectedMessage) {
        this.endpoint = endpoint;
        this.connection = connection;
        this.disconnectedMessage = disconnectedMessage;
    }

    Mono<SquareReply> square(SquareRequest request) {
        return calls.timed(
                request,
                () -> overConnection(open -> open.request(endpoint.subject(), request.body()))
                        .map(reply -> NatsEndpoint.read(request, reply)));
    }

    Mono<Void> check() {
        return Mono.defer(() -> overConnection(endpoint::ping))
                .onErrorMap(this::error)
                .then();
    }

    private <T> Mono<T> overConnection(Function<Connection, CompletableFuture<T>> sent) {
        Connection open = connection.get();
        return open == null
                ? Mono.error(new IllegalStateException("not connected"))
                : Mono.fromFuture(sent.apply(open));
    }

    /** jnats cancels a call that nobody listens for, and all calls where the connection is closed. */
    private CallException error(Throwable error) {
        Connection open = connection.get();
        boolean connected = open != null && open.getStatus() == Connection.Status.CONNECTED;
        return new CallException(
                Outcome.UNAVAILABLE,
                connected && error instanceof CancellationException
                        ? NatsEndpoint.noResponder(endpoint.subject())
                        : disconnectedMessage.get());
    }

    void stop() {
        calls.stop();
    }
}
