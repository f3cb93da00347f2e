package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import dev.chatterbox.connection.KeptConnection;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Options;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A client by jnats' own {@code request()}, over a connection that is kept open, or over one as jnats' documentation
 * makes it: once, with the library's defaults. Replies arrive on jnats' inbox thread, the deadline's error on Reactor's
 * timer. jnats silently drops a reply that comes late, twice or for no call, so that none is counted.
 */
abstract class NatsRequestClient implements SquareClient {

    final NatsEndpoint endpoint;
    private final boolean stock;
    private final KeptConnection<NatsConnection<Connection>> connection;
    private final StockCalls calls = new StockCalls(this::error);

    /**
     * @param limits of a client whose connection is kept open, with batched flushes; null for a connection with the
     *     library's defaults
     */
    NatsRequestClient(NatsEndpoint endpoint, @Nullable CallLimits limits) {
        this.endpoint = endpoint;
        stock = limits == null;
        connection = new KeptConnection<>(
                endpoint.access().broker(),
                stock ? KeptConnection.FOR_EVER : KeptConnection.PAUSE,
                KeptConnection.STOP_WITHIN,
                () -> limits == null
                        ? NatsConnection.stock(endpoint.access(), this::make)
                        : endpoint.open(limits.maxInFlight(), this::make),
                () -> {});
    }

    /** Makes what else calls need on a connection, before the connection counts as open. */
    Connection make(Connection opened) throws IOException {
        return opened;
    }

    /** The open connection; null if none is open. */
    final @Nullable Connection open() {
        return NatsConnection.connectionOf(connection.current());
    }

    /** The message while no connection is open. */
    final String disconnectedMessage() {
        return connection.disconnectedMessage();
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return calls.timed(
                request,
                () -> overConnection(open -> answer(open, request)).map(reply -> NatsEndpoint.read(request, reply)));
    }

    /** Without a time limit, jnats cancels calls after 5 to 10 s. */
    private CompletableFuture<Message> answer(Connection open, SquareRequest request) {
        return open.requestWithTimeout(
                endpoint.subject(), NatsEndpoint.headers(request), request.body(), request.timeout());
    }

    @Override
    public final Mono<Void> check() {
        return Mono.defer(() -> overConnection(endpoint::ping))
                .onErrorMap(this::error)
                .then();
    }

    private <R> Mono<R> overConnection(Function<Connection, CompletableFuture<R>> sent) {
        Connection open = open();
        return open == null
                ? Mono.error(new IllegalStateException("not connected"))
                : Mono.fromFuture(sent.apply(open));
    }

    /** jnats cancels a call if nobody listens on its subject, and all calls when the connection is closed. */
    private CallException error(Throwable error) {
        Connection open = open();
        boolean connected = open != null && open.getStatus() == Connection.Status.CONNECTED;
        return CallException.unavailable(
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
    public final Set<Deviation> deviations() {
        return stock ? Set.of(Deviation.CONNECTS_ONCE, Deviation.WAITS_FOR_THE_BROKER) : Set.of();
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown =
                new HashMap<>(Map.of("server", endpoint.access().server()));
        if (stock) {
            shown.put("reconnects", Options.DEFAULT_MAX_RECONNECT);
        }
        return shown;
    }

    @Override
    public final void start() {
        connection.start();
    }

    @Override
    public void stop() {
        calls.stop();
        connection.stop();
    }
}
