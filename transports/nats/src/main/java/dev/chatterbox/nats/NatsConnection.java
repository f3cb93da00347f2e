package dev.chatterbox.nats;

import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Opening;
import dev.chatterbox.connection.RefusedException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.support.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the NATS server, until it breaks, and what calls use on it: an inbox, a service, consumers of
 * streams. jnats' own reconnecting is off: it gives up where a server refuses it twice, and it restores subscriptions,
 * but neither consumers nor streams in memory.
 *
 * @param <T> what calls use on it
 * @param drain how long closing waits for replies to received requests; zero if it does not wait
 */
record NatsConnection<T>(Connection connection, T setup, Duration drain, Listener listener)
        implements BrokerConnection {

    /** Makes what a connection is used for, before the connection counts as open. */
    @FunctionalInterface
    public interface Setup<T> {

        /** @throws RefusedException the server does not give what is needed */
        T make(Connection connection) throws IOException;
    }

    private static final Logger log = LoggerFactory.getLogger(NatsConnection.class);

    private static final Duration FLUSH_WITHIN = Duration.ofSeconds(2);

    /** A server that answers no ping for twelve seconds is gone. By jnats' defaults it is gone after six minutes. */
    private static final Duration PING = Duration.ofSeconds(3);

    /** A flush is a ping, too. */
    private static final int PINGS_WITHOUT_ANSWER = 3;

    /** The errors after which the protocol lets a connection stay open, so that they are not the reason of its end. */
    private static final Pattern LEAVES_OPEN = Pattern.compile("(?i)^'?(permissions violation|invalid subject)");

    /** The server's last word to a pull whose consumer, or its stream, is deleted. */
    private static final String CONSUMER_DELETED = "Consumer Deleted";

    /**
     * Connects. Returns when the server knows all subscriptions that {@code setup} made.
     *
     * @param options adds the options of this side
     * @param drain how long closing waits for replies to received requests; zero if it does not wait
     * @throws IOException the server is away, or refuses
     * @throws TimeoutException the server does not answer
     */
    public static <T> NatsConnection<T> open(
            NatsAccess access, UnaryOperator<Options.Builder> options, Duration drain, Setup<T> setup)
            throws Exception {
        Listener listener = new Listener(access.broker());
        Connection connection = listener.connect(options.apply(access.options())
                .maxReconnects(0)
                .pingInterval(PING)
                .maxPingsOut(PINGS_WITHOUT_ANSWER)
                .errorListener(listener)
                .build());
        return Opening.orClose(connection, () -> {
            T used = setup.make(connection);
            connection.flush(FLUSH_WITHIN);
            return new NatsConnection<>(connection, used, drain, listener);
        });
    }

    /**
     * Connects as jnats' documentation shows it, with the library's defaults. Then jnats reconnects by itself, and
     * {@link #awaitEnd} waits until it is interrupted.
     */
    static <T> NatsConnection<T> stock(NatsAccess access, Setup<T> setup) throws Exception {
        Connection connection = Nats.connect(access.options().build());
        return Opening.orClose(
                connection,
                () -> new NatsConnection<>(
                        connection, setup.make(connection), Duration.ZERO, new Listener(access.broker())));
    }

    /** The jnats connection of a NatsConnection that may be null; null if it is. */
    public static @Nullable Connection connectionOf(@Nullable NatsConnection<?> open) {
        return open == null ? null : open.connection;
    }

    @Override
    public void awaitEnd() throws InterruptedException, RefusedException {
        listener.awaitDisconnection();
    }

    /**
     * Takes no more messages, answers those that have come, except those whose answers wait ({@code ?wait}, faults), and
     * closes. Without its server it closes at once.
     */
    @Override
    public void close() {
        // A drain that comes to its end closes the connection itself; closing it twice does no harm.
        try (connection) {
            if (!drain.isZero() && connection.getStatus() == Connection.Status.CONNECTED) {
                connection.drain(drain).get(drain.toMillis() + 1_000, TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException | ExecutionException | IllegalStateException e) {
            log.warn("Some requests were not answered: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called on jnats' callback thread. jnats' own listener prints a stack trace at every attempt to connect. */
    static final class Listener implements ConnectionListener, ErrorListener {

        private final String broker;
        private final CountDownLatch disconnected = new CountDownLatch(1);
        private volatile boolean connected;

        /** What the server or TLS said last; null if they said nothing. */
        private volatile @Nullable String refusal;

        Listener(String broker) {
            this.broker = broker;
        }

        /** jnats calls this listener before its own {@code connect} throws. */
        Connection connect(Options options) throws IOException, InterruptedException {
            Connection connection;
            try {
                connection = Nats.connect(options);
            } catch (IOException e) {
                String reason = refusal;
                throw reason == null ? e : new RefusedException(reason);
            }
            refusal = null;
            connected = true;
            // The listener is added only now: with several servers, each failed attempt is a disconnection too.
            connection.addConnectionListener(this);
            if (connection.getStatus() != Connection.Status.CONNECTED) {
                disconnected.countDown();
            }
            return connection;
        }

        void awaitDisconnection() throws InterruptedException, RefusedException {
            disconnected.await();
            String reason = refusal;
            if (reason != null) {
                throw new RefusedException(reason);
            }
        }

        @Override
        public void connectionEvent(Connection connection, Events event) {
            if (event == Events.DISCONNECTED || event == Events.CLOSED) {
                disconnected.countDown();
            }
        }

        @Override
        public void errorOccurred(Connection connection, String error) {
            if (connected && !error.equals(refusal)) {
                log.warn("An error of {}: {}", broker, error);
            }
            if (!LEAVES_OPEN.matcher(error).find()) {
                refusal = error;
            }
        }

        @Override
        public void exceptionOccurred(Connection connection, Exception e) {
            log.debug("NATS client", e);
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof ConnectException) {
                refusal = null;
            } else if (cause instanceof SSLException || message.startsWith("SSL ")) {
                refusal = message;
            }
        }

        /** Somebody deleted a consumer from which this connection pulls, or its stream: the next one makes both again. */
        @Override
        public void pullStatusError(Connection connection, JetStreamSubscription subscription, Status status) {
            if (status.getMessage().startsWith(CONSUMER_DELETED)) {
                refusal = "the consumer %s, or its stream %s, was deleted"
                        .formatted(subscription.getConsumerName(), subscription.getStreamName());
                disconnected.countDown();
            }
        }

        @Override
        public void slowConsumerDetected(Connection connection, Consumer consumer) {
            log.warn("Messages of {} were dropped: more than {} wait here", broker, consumer.getPendingMessageLimit());
        }
    }
}
