package dev.chatterbox.square.nats;

import dev.chatterbox.square.common.SquareResponder;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Answers what its {@link RequestSource} brings, over one connection. Connects and reconnects for ever. */
@Component
class NatsResponder implements SmartLifecycle, ConnectionListener, HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(NatsResponder.class);

    /** Back within a second, instead of two, when the server is. */
    private static final Duration RECONNECT_WAIT = Duration.ofMillis(500);

    /** For the requests that wait here when it stops; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    private final String server;
    private final RequestSource requests;
    private final Options options;
    private volatile @Nullable Thread starter;
    private volatile @Nullable Connection connection;

    /** Used on jnats' callback thread only. */
    private boolean connected;

    /** Why the server, or TLS, did not let this responder in when it tried last; null where that was not so. */
    private volatile @Nullable String refusal;

    /**
     * @param server one address or several, with commas between them
     * @param properties the path of a file of jnats' own properties, as of the user, the password and the trust store;
     *     empty for none
     * @throws IllegalArgumentException the address holds a password, or the file cannot be read
     */
    NatsResponder(
            @Value("${nats.server}") String server,
            @Value("${nats.properties}") String properties,
            RequestSource requests,
            SquareResponder responder) {
        // jnats takes both from an address; but an address is shown, in health and in the log.
        if (server.contains("@")) {
            throw new IllegalArgumentException(
                    "nats.server (NATS_SERVER) must hold no user and no password: they belong"
                            + " in the file that nats.properties (NATS_PROPERTIES) names");
        }
        this.server = server;
        this.requests = requests;
        options = options(properties)
                .servers(server.split(","))
                .connectionName(responder.name())
                .maxReconnects(-1)
                .reconnectWait(RECONNECT_WAIT)
                .connectionListener(this)
                .errorListener(new Errors())
                .build();
    }

    private static Options.Builder options(String properties) {
        try {
            return properties.isEmpty() ? new Options.Builder() : new Options.Builder(properties);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "nats.properties (NATS_PROPERTIES) must be a file that can be read, but: " + e, e);
        }
    }

    @Override
    public void start() {
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
                    connected(Nats.connect(options));
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

    private void connected(Connection connection) throws InterruptedException {
        requests.open(connection);
        try {
            connection.flush(Duration.ofSeconds(1));
        } catch (TimeoutException e) {
            log.debug("Gone again: jnats subscribes when the server is back", e);
        }
        synchronized (this) {
            if (isStarting()) {
                this.connection = connection;
                return;
            }
        }
        connection.close();
    }

    /** Tells of changes only: jnats reports each failed attempt. */
    @Override
    public void connectionEvent(Connection connection, Events event) {
        if ((event == Events.CONNECTED || event == Events.RECONNECTED) && !connected) {
            connected = true;
            refusal = null;
            log.info("Connected to {}", connection.getConnectedUrl());
        } else if ((event == Events.DISCONNECTED || event == Events.CLOSED) && connected) {
            connected = false;
            log.info("Disconnected from {}", server);
        }
        if (event == Events.CLOSED) {
            connectAnew(connection);
        }
    }

    /** Where jnats has given up a connection that was there. */
    private synchronized void connectAnew(Connection closed) {
        if (isRunning() && closed == connection) {
            connection = null;
            start();
        }
    }

    @Override
    public Health health() {
        Connection current = connection;
        String reason = current != null && current.getStatus() == Connection.Status.CONNECTED
                ? requests.problem()
                : "not connected to " + server + (refusal == null ? "" : ": " + refusal) + "; it keeps trying";
        Health.Builder health = reason == null ? Health.up() : Health.down().withDetail("reason", reason);
        return health.withDetail("server", server).build();
    }

    /** Takes no more requests, answers those that wait, closes. Without its server it has none, and closes at once. */
    @Override
    public void stop() {
        Connection current;
        synchronized (this) {
            starter = null;
            current = connection;
            connection = null;
        }
        requests.close();
        if (current == null) {
            return;
        }
        try {
            if (current.getStatus() == Connection.Status.CONNECTED) {
                current.drain(DRAIN).get(2 * DRAIN.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException | ExecutionException | IllegalStateException e) {
            log.warn("Some requests were not answered: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(current);
        }
    }

    /** A drain closes the connection itself where it comes to an end; closing it twice is harmless. */
    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return starter != null;
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
            log.warn("Requests were dropped: more than {} wait here", consumer.getPendingMessageLimit());
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
