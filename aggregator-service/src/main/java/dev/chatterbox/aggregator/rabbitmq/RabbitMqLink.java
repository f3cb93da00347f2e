package dev.chatterbox.aggregator.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.rows.Row;
import java.io.IOException;
import java.net.Socket;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * One connection to the RabbitMQ server, to the responder of one row: made in the background, and made anew for ever.
 * By itself, for the library's recovery takes over only after the first connection, gives a queue that the server
 * names another name meanwhile, and does not open a channel again that the server has closed.
 */
final class RabbitMqLink {

    /** What a client does as its connection comes and goes; on the link's thread. */
    interface Client {

        /**
         * Opens what calls need, before the first call can be made.
         *
         * @param broken to be run, on whatever thread, when that is no longer open: all is closed and opened anew
         */
        void connected(Connection connection, Runnable broken) throws IOException;

        /** Replies to what was sent have no way back any more. */
        void disconnected(CallException error);
    }

    private static final Logger log = LoggerFactory.getLogger(RabbitMqLink.class);

    private static final Duration RECONNECT_WAIT = Duration.ofMillis(500);

    /** For the server's answer to whatever is asked of it, connecting too. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final String name;
    private final String queue;
    private final ConnectionFactory factory = new ConnectionFactory();
    private final Client client;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Connection connection;
    private volatile @Nullable Socket socket;
    private volatile @Nullable String blocked;
    private volatile boolean stopped;

    /** @throws IllegalArgumentException the URI is none */
    RabbitMqLink(Row row, String uri, Client client) {
        this.client = client;
        name = "aggregator-service " + row.name();
        queue = row.address("queue");
        try {
            factory.setUri(uri);
        } catch (URISyntaxException | GeneralSecurityException e) {
            // Neither the URI nor the cause, which repeats it: it may hold a password.
            throw new IllegalArgumentException("client.uri must be amqp://HOST:PORT");
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

    String server() {
        return factory.getHost() + ":" + factory.getPort();
    }

    /** Where the responders take requests from. */
    String queue() {
        return queue;
    }

    boolean connected() {
        return connection != null && blocked == null;
    }

    /** @throws CallException there is no connection now, or the server takes no messages over it */
    Connection requireConnected() {
        Connection current = connection;
        String reason = blocked;
        if (current == null) {
            throw unavailable();
        }
        if (reason != null) {
            throw new CallException(
                    Outcome.UNAVAILABLE, "the RabbitMQ server at %s takes no messages: %s".formatted(server(), reason));
        }
        return current;
    }

    CallException unavailable() {
        return stopped
                ? CallException.stopping()
                : new CallException(Outcome.UNAVAILABLE, "no connection to the RabbitMQ server at " + server());
    }

    CallException noResponder() {
        return stopped
                ? CallException.stopping()
                : new CallException(Outcome.UNAVAILABLE, "no responder takes requests from the queue " + queue);
    }

    /** Asks how many consumers the queue has. */
    Mono<Void> check() {
        return Mono.<Void>fromRunnable(this::requireResponder).subscribeOn(Schedulers.boundedElastic());
    }

    private void requireResponder() {
        Connection current = requireConnected();
        // One of its own, which the server closes where there is no such queue.
        try (Channel channel = current.createChannel()) {
            if (channel.queueDeclarePassive(queue).getConsumerCount() == 0) {
                throw noResponder();
            }
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            throw e.getCause() instanceof ShutdownSignalException closed && !closed.isHardError()
                    ? noResponder()
                    : unavailable();
        }
    }

    void start() {
        Thread started = new Thread(this::run, "rabbitmq-link");
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
                ExecutorService consumers = Executors.newSingleThreadExecutor(RabbitMqLink::replyThread);
                try {
                    told = use(factory.newConnection(consumers, name));
                } catch (IOException | TimeoutException | AlreadyClosedException e) {
                    if (!told) {
                        log.warn("No RabbitMQ server answers at {} ({}); keeps trying", server(), e.toString());
                        told = true;
                    }
                } finally {
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

    private static Thread replyThread(Runnable task) {
        Thread thread = new Thread(task, "rabbitmq-replies");
        thread.setDaemon(true);
        return thread;
    }

    /** @return false, for that it is away is to be told once it is */
    private boolean use(Connection made) throws IOException, InterruptedException {
        CountDownLatch broken = new CountDownLatch(1);
        made.addShutdownListener(cause -> broken.countDown());
        made.addBlockedListener(new Blocked());
        try {
            client.connected(made, broken::countDown);
            connection = made;
            log.info("Connected to RabbitMQ at {}", server());
            broken.await();
            log.info("Disconnected from RabbitMQ at {}", server());
            return false;
        } finally {
            connection = null;
            blocked = null;
            client.disconnected(unavailable());
            made.abort((int) CLOSE_WITHIN.toMillis());
        }
    }

    /** The server lacks memory or disk. */
    private final class Blocked implements BlockedListener {

        @Override
        public void handleBlocked(String reason) {
            log.warn("RabbitMQ at {} takes no messages: {}", server(), reason);
            blocked = reason;
        }

        @Override
        public void handleUnblocked() {
            log.info("RabbitMQ at {} takes messages again", server());
            blocked = null;
        }
    }

    void stop() {
        stopped = true;
        Thread running = thread;
        thread = null;
        if (running != null) {
            running.interrupt();
            try {
                running.join(2 * CLOSE_WITHIN.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        // A thread that is still at work stands in a write to a server that does not read.
        Socket last = socket;
        if (last != null) {
            try {
                last.close();
            } catch (IOException e) {
                log.debug("Closed already", e);
            }
        }
    }
}
