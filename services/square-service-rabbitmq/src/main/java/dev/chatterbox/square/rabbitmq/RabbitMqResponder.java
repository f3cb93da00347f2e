package dev.chatterbox.square.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatterbox.square.common.SquareResponder;
import java.io.IOException;
import java.net.Socket;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
 * Answers requests from one queue, over one connection. Connects, and connects anew, for ever: by
 * itself, for the library's recovery takes over only after the first connection, and does not open a channel again
 * that the server has closed.
 */
@Component
class RabbitMqResponder implements SmartLifecycle, HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqResponder.class);

    private static final Duration RECONNECT_WAIT = Duration.ofMillis(500);

    /** For the server's answer to whatever is asked of it, connecting too. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

    /** For the requests that wait here when it stops; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    private static final Duration DRAIN = Duration.ofSeconds(3);

    private final String queue;
    private final SquareResponder responder;
    private final ConnectionFactory factory = new ConnectionFactory();
    private volatile @Nullable Thread thread;
    private volatile @Nullable RequestConsumer consumer;
    private volatile @Nullable Socket socket;

    /** @throws IllegalArgumentException the URI is none */
    RabbitMqResponder(
            @Value("${rabbitmq.uri}") String uri, @Value("${rabbitmq.queue}") String queue, SquareResponder responder) {
        this.queue = queue;
        this.responder = responder;
        try {
            factory.setUri(uri);
        } catch (URISyntaxException | GeneralSecurityException e) {
            // Neither the URI nor the cause, which repeats it: it may hold a password.
            throw new IllegalArgumentException("rabbitmq.uri must be amqp://HOST:PORT");
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setConnectionTimeout((int) ANSWER_WITHIN.toMillis());
        factory.setHandshakeTimeout((int) ANSWER_WITHIN.toMillis());
        factory.setChannelRpcTimeout((int) ANSWER_WITHIN.toMillis());
        factory.setSocketConfigurator(made -> {
            made.setTcpNoDelay(true);
            socket = made;
        });
    }

    private String server() {
        return factory.getHost() + ":" + factory.getPort();
    }

    @Override
    public void start() {
        Thread started = new Thread(this::run, "rabbitmq-responder");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private boolean isStarted() {
        return thread == Thread.currentThread();
    }

    private void run() {
        boolean told = false;
        try {
            while (isStarted()) {
                ExecutorService consumers =
                        Executors.newSingleThreadExecutor(task -> daemon(task, "rabbitmq-requests"));
                try {
                    told = serve(factory.newConnection(consumers, responder.name()));
                } catch (IOException | TimeoutException | AlreadyClosedException e) {
                    if (!told) {
                        log.warn("No RabbitMQ server answers at {} ({}); keeps trying", server(), e.toString());
                        told = true;
                    }
                } finally {
                    consumer = null;
                    consumers.shutdown();
                }
                if (isStarted()) {
                    TimeUnit.NANOSECONDS.sleep(RECONNECT_WAIT.toNanos());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return false, for that it is away is to be told once it is */
    private boolean serve(Connection connection) throws IOException, InterruptedException {
        try {
            RequestConsumer current = RequestConsumer.open(connection, queue, responder);
            consumer = current;
            log.info("Connected to {}", server());
            current.awaitEnd();
            log.info("Disconnected from {}", server());
            return false;
        } finally {
            connection.abort((int) ANSWER_WITHIN.toMillis());
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread daemon = new Thread(task, name);
        daemon.setDaemon(true);
        return daemon;
    }

    @Override
    public Health health() {
        Health.Builder health = consumer != null
                ? Health.up()
                : Health.down().withDetail("reason", "not connected to " + server() + "; it keeps trying");
        return health.withDetail("server", server()).build();
    }

    /** Takes no more requests, answers those that are here, closes. Without its server it closes at once. */
    @Override
    public void stop() {
        Thread running = thread;
        RequestConsumer current = consumer;
        thread = null;
        if (running == null) {
            return;
        }
        try {
            if (current != null) {
                Thread drain = daemon(() -> drain(current), "rabbitmq-drain");
                drain.start();
                drain.join(DRAIN.toMillis());
            } else {
                running.interrupt();
            }
            running.join(ANSWER_WITHIN.toMillis() / 2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // What is still at work stands in a write to a server that does not read, or waits for its answer.
        Socket last = socket;
        if (last != null) {
            try {
                last.close();
            } catch (IOException e) {
                log.debug("Closed already", e);
            }
        }
        running.interrupt();
    }

    private static void drain(RequestConsumer consumer) {
        try {
            consumer.drain();
        } catch (IOException | AlreadyClosedException e) {
            log.warn("Some requests were not answered: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }
}
