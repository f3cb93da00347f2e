package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import dev.chatterbox.connection.KeptConnection;
import io.nats.client.Connection;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
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

    /** The client is connected again within a second after its server is back. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    final NatsEndpoint endpoint;
    private final boolean stock;
    private final KeptConnection<NatsConnection<Connection>> connection;
    private final StockCalls calls = new StockCalls(this::error);

    /** A client over a connection with the library's defaults. */
    NatsRequestClient(NatsEndpoint endpoint) {
        this.endpoint = endpoint;
        stock = true;
        connection = keep(KeptConnection.FOR_EVER, () -> NatsConnection.stock(endpoint.access(), this::make));
    }

    /** A client over a connection that is kept open, with batched flushes. */
    NatsRequestClient(NatsEndpoint endpoint, int maxInFlight) {
        this.endpoint = endpoint;
        stock = false;
        connection = keep(PAUSE, () -> endpoint.open(maxInFlight, this::make));
    }

    private KeptConnection<NatsConnection<Connection>> keep(
            Duration pause, Callable<NatsConnection<Connection>> opener) {
        return new KeptConnection<>(endpoint.access().broker(), pause, NatsEndpoint.STOP_WITHIN, opener, () -> {});
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
                () -> overConnection(
                                // Without a time limit, jnats cancels calls after 5 to 10 s.
                                open -> open.requestWithTimeout(
                                        endpoint.subject(),
                                        NatsEndpoint.headers(request),
                                        request.body(),
                                        request.timeout()))
                        .map(reply -> NatsEndpoint.read(request, reply)));
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
