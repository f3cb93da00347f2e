package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** One connection to the NATS server, to the responder of one row: made in the background, and made anew for ever. */
final class NatsLink implements ConnectionListener {

    /** What a client does as its connection comes and goes. */
    interface Client {

        /** Runs before the first call can be made over the connection. */
        void connected(Connection connection);

        /** Runs on jnats' callback thread: replies to what was sent have no way back any more. */
        void disconnected(CallException error);
    }

    /** As long as no server has said another: the default of nats-server. */
    private static final int DEFAULT_LIMIT = 1 << 20;

    /**
     * Of payloads, that may be under way: half of the 64 MiB from which on nats-server (max_pending) and jnats (a
     * dispatcher's bytes) drop what a slow reader has not read, so that two aggregators fit.
     */
    static final long MOST_BYTES = 32 << 20;

    private static final Logger log = LoggerFactory.getLogger(NatsLink.class);

    /** Back within a second, instead of two, when the server is. */
    private static final Duration RECONNECT_WAIT = Duration.ofMillis(500);

    /**
     * A server that has stopped reading is noticed after this time, instead of a minute: until then what is published
     * stays in memory, also after its deadline.
     */
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);

    private final String server;
    private final String subject;
    private final String service;
    private final Options options;
    private final Client client;
    private volatile @Nullable Thread starter;
    private volatile @Nullable Connection connection;
    private volatile boolean stopped;

    /** Whether the log says that there is a connection: each attempt that fails is an event too. */
    private volatile boolean lastTold;

    /** Why the server, or TLS, did not let this client in when it tried last; null where that was not so. */
    private volatile @Nullable String refusal;

    /** @param maxInFlight how many calls may be outstanding at once */
    NatsLink(Row row, NatsTarget target, int maxInFlight, Client client) {
        this.client = client;
        server = target.server();
        subject = row.address("subject");
        service = row.address("queue-group");
        options = target.options()
                // By default each request is written to the socket by itself.
                .dontForceFlushOnRequest()
                .connectionName("aggregator-service " + row.name())
                .maxReconnects(-1)
                .reconnectWait(RECONNECT_WAIT)
                .socketWriteTimeout(WRITE_TIMEOUT)
                // Above what may be in flight: a full queue would block the thread that brings the replies.
                .maxMessagesInOutgoingQueue(2 * maxInFlight + 1_000)
                // A request that waits out an outage is worth nothing afterwards: calls fail at once instead.
                .reconnectBufferSize(0)
                .connectionListener(this)
                .errorListener(new Errors())
                .build();
    }

    String server() {
        return server;
    }

    /** Where the responder listens. */
    String subject() {
        return subject;
    }

    boolean connected() {
        Connection current = connection;
        return current != null && current.getStatus() == Connection.Status.CONNECTED;
    }

    /** That of the server that it is connected to. */
    MessageLimit messageLimit() {
        return messageLimit(connection);
    }

    static MessageLimit messageLimit(@Nullable Connection connection) {
        long told = connection == null ? 0 : connection.getMaxPayload();
        return new MessageLimit(told <= 0 ? DEFAULT_LIMIT : (int) Math.min(told, Integer.MAX_VALUE), "max_payload");
    }

    /** Calls of jnats' own {@code request()}, as it counts them. */
    long outstanding() {
        Connection current = connection;
        return current == null ? 0 : current.getStatistics().getOutstandingRequests();
    }

    /** @throws CallException there is no connection now */
    Connection requireConnected() {
        Connection current = connection;
        if (current == null || !connected()) {
            throw unavailable();
        }
        return current;
    }

    CallException unavailable() {
        if (stopped) {
            return CallException.stopping();
        }
        String reason = refusal;
        return new CallException(
                Outcome.UNAVAILABLE,
                "no connection to the NATS server at " + server + (reason == null ? "" : ": " + reason));
    }

    CallException noResponder() {
        return stopped
                ? CallException.stopping()
                : new CallException(Outcome.UNAVAILABLE, "no responder listens on the subject " + subject);
    }

    /**
     * Pings the service, as {@code nats micro ping} does; a responder outside the services convention answers calls
     * only.
     */
    Mono<Void> check() {
        return Mono.defer(() -> Mono.fromFuture(requireConnected().request("$SRV.PING." + service, null)))
                .onErrorMap(CancellationException.class, cancelled -> noResponder())
                .then();
    }

    void start() {
        Thread thread = new Thread(this::connect, "nats-start");
        thread.setDaemon(true);
        starter = thread;
        thread.start();
    }

    /**
     * Until the server is there; from then on jnats reconnects by itself, until the server has refused it twice. Not its
     * own connectAsynchronously: no end to that.
     */
    private void connect() {
        boolean told = false;
        try {
            while (isStarting()) {
                try {
                    use(Nats.connect(options));
                    return;
                } catch (IOException e) {
                    if (!told) {
                        log.warn("No connection to NATS at {} yet ({}); keeps trying", server, e.getMessage());
                        told = true;
                    }
                }
                TimeUnit.NANOSECONDS.sleep(RECONNECT_WAIT.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isStarting() {
        return starter == Thread.currentThread();
    }

    private void use(Connection made) throws InterruptedException {
        client.connected(made);
        synchronized (this) {
            if (isStarting()) {
                connection = made;
                return;
            }
        }
        made.close();
    }

    /** Runs on jnats' callback thread. */
    @Override
    public void connectionEvent(Connection connection, Events event) {
        if (!event.isConnectionEvent()) {
            return;
        }
        boolean open = event == Events.CONNECTED || event == Events.RECONNECTED;
        if (open != lastTold) {
            lastTold = open;
            log.info("NATS at {}: {}", server, event);
        }
        if (open) {
            refusal = null;
        } else {
            client.disconnected(unavailable());
        }
        if (event == Events.CLOSED) {
            connectAnew(connection);
        }
    }

    /** Where jnats has given up a connection that was there. */
    private synchronized void connectAnew(Connection closed) {
        if (!stopped && closed == connection) {
            connection = null;
            start();
        }
    }

    void stop() {
        Connection current;
        synchronized (this) {
            stopped = true;
            starter = null;
            current = connection;
        }
        if (current != null) {
            try {
                current.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** jnats' own prints a stack trace at every attempt to connect; this says once what the events do not. */
    private final class Errors implements ErrorListener {

        @Override
        public void errorOccurred(Connection connection, String error) {
            refused(error);
        }

        /** Once, and not at each attempt to connect. */
        private void refused(String reason) {
            if (!reason.equals(refusal)) {
                log.warn("NATS at {}: {}", server, reason);
                refusal = reason;
            }
        }

        @Override
        public void slowConsumerDetected(Connection connection, Consumer consumer) {
            log.warn("Replies were dropped: more than {} wait here", consumer.getPendingMessageLimit());
        }

        @Override
        public void exceptionOccurred(Connection connection, Exception e) {
            log.debug("NATS client", e);
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof ConnectException) {
                refusal = null;
            } else if (cause instanceof SSLException || message.startsWith("SSL ")) {
                refused(message);
            }
        }
    }
}
