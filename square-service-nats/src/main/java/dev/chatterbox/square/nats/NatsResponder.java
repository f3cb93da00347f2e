package dev.chatterbox.square.nats;

import dev.chatterbox.proto.Output;
import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.service.ServiceBuilder;
import io.nats.service.ServiceEndpoint;
import io.nats.service.ServiceMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Answers on a subject as a member of a queue group, by the NATS services convention, so that {@code nats micro} lists,
 * pings and measures it. Connects and reconnects for ever.
 */
@Component
class NatsResponder implements SmartLifecycle, ConnectionListener, HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(NatsResponder.class);

    /** Back within a second, instead of two, when the server is. */
    private static final Duration RECONNECT_WAIT = Duration.ofMillis(500);

    /** For the requests that wait here when it stops; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    private final String server;
    private final String subject;
    private final String queueGroup;
    private final SquareResponder responder;
    private final Options options;
    private volatile @Nullable Thread starter;
    private volatile @Nullable Connection connection;

    /** Used on jnats' callback thread only. */
    private boolean connected;

    NatsResponder(
            @Value("${nats.server}") String server,
            @Value("${nats.subject}") String subject,
            @Value("${nats.queue-group}") String queueGroup,
            SquareResponder responder) {
        this.server = server;
        this.subject = subject;
        this.queueGroup = queueGroup;
        this.responder = responder;
        options = new Options.Builder()
                .server(server)
                .connectionName(responder.name())
                .maxReconnects(-1)
                .reconnectWait(RECONNECT_WAIT)
                .connectionListener(this)
                .errorListener(ERRORS)
                .build();
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::connect, "nats-start");
        thread.setDaemon(true);
        starter = thread;
        thread.start();
    }

    /**
     * Until the server is there; from then on jnats reconnects by itself. Not its own connectAsynchronously: no end to
     * that.
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
                        log.warn("No NATS server answers at {} yet ({}); keeps trying", server, e.getMessage());
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
        serve(connection);
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

    private void serve(Connection connection) {
        new ServiceBuilder()
                .connection(connection)
                // The aggregator pings the service by the name of its queue group.
                .name(queueGroup)
                .version("1.0.0")
                .description("Squares a number")
                .addServiceEndpoint(ServiceEndpoint.builder()
                        .endpointName("square")
                        .endpointSubject(subject)
                        .endpointQueueGroup(queueGroup)
                        .handler(message -> answer(connection, message))
                        .build())
                .build()
                .startService();
    }

    /** Runs on the service's dispatcher thread, one request after the other. */
    private void answer(Connection connection, ServiceMessage message) {
        if (message.getReplyTo() == null) {
            responder.refuse("it names no subject to reply to", Reply.NOWHERE);
        } else {
            responder.answer(message.getData(), new NatsReply(connection, message, responder));
        }
    }

    /** Tells of changes only: jnats reports each failed attempt. */
    @Override
    public void connectionEvent(Connection connection, Events event) {
        if ((event == Events.CONNECTED || event == Events.RECONNECTED) && !connected) {
            connected = true;
            log.info("Connected to {}", connection.getConnectedUrl());
        } else if ((event == Events.DISCONNECTED || event == Events.CLOSED) && connected) {
            connected = false;
            log.info("Disconnected from {}", server);
        }
    }

    @Override
    public Health health() {
        Connection current = connection;
        Health.Builder health = current != null && current.getStatus() == Connection.Status.CONNECTED
                ? Health.up()
                : Health.down().withDetail("reason", "not connected to " + server + "; it keeps trying");
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

    /** jnats' own listener prints a stack trace at every attempt to reconnect; the connection's events say as much. */
    private static final ErrorListener ERRORS = new ErrorListener() {
        @Override
        public void errorOccurred(Connection connection, String error) {
            log.warn("NATS server: {}", error);
        }

        @Override
        public void slowConsumerDetected(Connection connection, Consumer consumer) {
            log.warn("Requests were dropped: more than {} wait here", consumer.getPendingMessageLimit());
        }

        @Override
        public void exceptionOccurred(Connection connection, Exception e) {
            log.debug("NATS client", e);
        }
    };

    private record NatsReply(Connection connection, ServiceMessage request, SquareResponder responder)
            implements Reply {

        @Override
        public void square(int number, long square) {
            send(() -> request.respond(
                    connection,
                    Output.newBuilder()
                            .setNumber(number)
                            .setResult(square)
                            .build()
                            .toByteArray()));
        }

        @Override
        public void error(int code, String reason) {
            send(() -> request.respondStandardError(connection, reason, code));
        }

        /** While the connection is away jnats keeps what is published, up to its reconnect buffer; then it throws. */
        private void send(Runnable publish) {
            try {
                publish.run();
            } catch (IllegalStateException | IllegalArgumentException e) {
                responder.undeliverable(String.valueOf(e.getMessage()));
            }
        }
    }
}
