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
import io.nats.service.Service;
import io.nats.service.ServiceBuilder;
import io.nats.service.ServiceEndpoint;
import io.nats.service.ServiceMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Answers on the subject {@code nats.square.service} as a member of the queue group {@code square-service}, by the NATS
 * services convention, so that {@code nats micro} lists, pings and measures it. Connects and reconnects for ever.
 */
@Component
class NatsResponder implements SmartLifecycle, ConnectionListener, HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(NatsResponder.class);

    private final String server;
    private final SquareResponder responder;
    private volatile @Nullable Connection connection;
    private volatile @Nullable Service service;
    private volatile boolean running;

    NatsResponder(@Value("${nats.server}") String server, SquareResponder responder) {
        this.server = server;
        this.responder = responder;
    }

    @Override
    public void start() {
        Options options = new Options.Builder()
                .server(server)
                .connectionName("square-service-nats")
                .maxReconnects(-1)
                // Back within a second, instead of two, when the broker is.
                .reconnectWait(Duration.ofMillis(500))
                .connectionListener(this)
                .errorListener(ERRORS)
                .build();
        running = true;
        try {
            Nats.connectAsynchronously(options, true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs on jnats' callback thread. */
    @Override
    public void connectionEvent(Connection connection, Events event) {
        log.info("NATS at {}: {}", server, event);
        this.connection = connection;
        if (event == Events.CONNECTED && service == null) {
            service = serve(connection);
        }
    }

    private Service serve(Connection connection) {
        Service service = new ServiceBuilder()
                .connection(connection)
                .name("square-service")
                .version("1.0.0")
                .description("Squares a number")
                .addServiceEndpoint(ServiceEndpoint.builder()
                        .endpointName("square")
                        .endpointSubject("nats.square.service")
                        .endpointQueueGroup("square-service")
                        .handler(message -> answer(connection, message))
                        .build())
                .build();
        service.startService();
        return service;
    }

    /** Runs on the service's dispatcher thread, one request after the other. */
    private void answer(Connection connection, ServiceMessage message) {
        if (message.getReplyTo() == null) {
            responder.refuse("it names no subject to reply to", Reply.NOWHERE);
        } else {
            responder.answer(message.getData(), new NatsReply(connection, message, responder));
        }
    }

    @Override
    public Health health() {
        Connection current = connection;
        Health.Builder health = current != null && current.getStatus() == Connection.Status.CONNECTED && service != null
                ? Health.up()
                : Health.down().withDetail("reason", "not connected to " + server + "; it keeps trying");
        return health.withDetail("server", server).build();
    }

    @Override
    public void stop() {
        running = false;
        Connection current = connection;
        try {
            if (service != null) {
                service.stop();
            }
            if (current != null) {
                current.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
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
            } catch (IllegalStateException e) {
                responder.undeliverable(String.valueOf(e.getMessage()));
            }
        }
    }
}
