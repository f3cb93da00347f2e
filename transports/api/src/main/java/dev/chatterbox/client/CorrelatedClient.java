package dev.chatterbox.client;

import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.KeptConnection;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * A client over a broker that does not match replies to requests. This class has the correlation ids, the deadlines and
 * the connection. A subclass has its settings, opens a connection, sends a request under a correlation id, and reads
 * the correlation id of each reply, which it passes to {@link #pending}.
 *
 * @param <C> the connection; it begins to read replies before {@link #open} returns
 */
public abstract class CorrelatedClient<C extends BrokerConnection> extends PendingClient {

    private static final Logger log = LoggerFactory.getLogger(CorrelatedClient.class);

    private static final long NO_ID = -1;

    /** What fails after nobody waits for it any more concerns nobody. By default Reactor would log it as an error. */
    private static final Context LATE = Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>)
            error -> log.debug("After the end of its check", error));

    private final KeptConnection<C> connection;
    private final String noResponder;
    private volatile boolean stopped;

    /** The connection whose first failure was logged last. */
    private volatile @Nullable C lastToFail;

    /**
     * @param variant the name of the variant, which tags the metrics
     * @param broker for messages, as "the Artemis broker at tcp://localhost:5445"
     * @param noResponder for messages, as "no responder takes requests from the queue square.requests"
     *
     */
    protected CorrelatedClient(
            String variant, CallLimits limits, MeterRegistry meters, String broker, String noResponder) {
        super(PendingCalls.start(variant, limits.maxInFlight(), meters));
        this.noResponder = noResponder;
        // After the end of a connection, replies to earlier requests cannot come any more.
        Runnable ended = () -> pending.failAll(unavailable());
        connection = new KeptConnection<>(broker, KeptConnection.PAUSE, KeptConnection.STOP_WITHIN, this::open, ended);
    }

    /** Opens a connection, over which calls can be made at once; on the connection's thread. */
    protected abstract C open() throws Exception;

    /**
     * Sends a request, without blocking. If the client finds out later that the request could not be sent, or that
     * nobody takes it, it calls {@link PendingCalls#fail}.
     *
     * @throws Exception the request cannot be sent; the call's error is its {@link #failure}
     */
    protected abstract void send(C connection, long correlationId, SquareRequest request) throws Exception;

    /**
     * How many responders take requests now; asks the broker, and may block for some seconds.
     *
     * @throws Exception as {@link #send}
     */
    protected abstract int responders(C connection) throws Exception;

    @Override
    protected final void send(long correlationId, SquareRequest request) {
        C open = requireConnected();
        try {
            send(open, correlationId, request);
        } catch (Exception e) {
            throw failure(e);
        }
    }

    /** The open connection; null if none is open. */
    protected final @Nullable C current() {
        return connection.current();
    }

    private C requireConnected() {
        C open = connection.current();
        if (open == null) {
            throw unavailable();
        }
        String problem = open.problem();
        if (problem != null) {
            throw CallException.unavailable(problem);
        }
        return open;
    }

    /**
     * The error of a call or a check for which the library failed with {@code error}, which may itself say all. While
     * there is a connection, that need not be the reason: the message has the library's own words then, and the log has
     * the first failure of each connection.
     */
    protected final CallException failure(Throwable error) {
        C open = connection.current();
        if (error instanceof CallException call) {
            return call;
        }
        if (stopped || open == null) {
            return unavailable();
        }
        if (open != lastToFail) {
            lastToFail = open;
            log.warn(
                    "A request to {} failed (further ones of this connection are not logged)",
                    connection.broker(),
                    error);
        }
        return CallException.unavailable("%s did not take a request: %s".formatted(connection.broker(), error));
    }

    /** The error of a call if no connection can carry it. */
    private CallException unavailable() {
        return stopped ? CallException.stopping() : CallException.unavailable(connection.disconnectedMessage());
    }

    /** The error of a call if no responder takes it. */
    protected final CallException noResponder() {
        return stopped ? CallException.stopping() : CallException.unavailable(noResponder);
    }

    /** The correlation id as text, in digits and letters. */
    public static String text(long correlationId) {
        return Long.toString(correlationId, Character.MAX_RADIX);
    }

    /**
     * Reads the correlation id in a text from an offset on. Without one, returns an id that no call has, so that the
     * reply is counted as unmatched.
     *
     * @param text as {@link #text(long)} made it; null if the reply has none
     */
    public static long correlationId(@Nullable CharSequence text, int offset) {
        try {
            return text == null ? NO_ID : Long.parseLong(text, offset, text.length(), Character.MAX_RADIX);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return NO_ID;
        }
    }

    /**
     * A check that nobody waits for any more goes on: an interrupt in the middle of a library's first request can leave
     * its connection without an inbox.
     */
    @Override
    public final Mono<Void> check() {
        return Mono.fromFuture(
                        () -> CompletableFuture.supplyAsync(
                                this::responders,
                                task -> Schedulers.boundedElastic().schedule(task)),
                        true)
                .onErrorMap(this::failure)
                .filter(responders -> responders > 0)
                .switchIfEmpty(Mono.error(this::noResponder))
                .then()
                .contextWrite(LATE);
    }

    private int responders() {
        try {
            return responders(requireConnected());
        } catch (Exception e) {
            throw new CompletionException(e instanceof ExecutionException ? e.getCause() : e);
        }
    }

    @Override
    public void start() {
        connection.start();
    }

    @Override
    public void stop() {
        stopped = true;
        super.stop();
        connection.stop();
    }
}
