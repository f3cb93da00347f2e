package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Daemon;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection, until it or one of its channels ends. All that it delivers comes on one thread of its own. */
public final class RabbitMqConnection implements BrokerConnection {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqConnection.class);

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final RabbitMqServer server;

    @SuppressWarnings("NullAway.Init")
    private Connection connection;
    /** Discards deliveries after the close, which nobody needs: a rejection would end a thread of the library. */
    private final ExecutorService consumers = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> Daemon.thread("rabbitmq-consumer", task),
            new ThreadPoolExecutor.DiscardPolicy());

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Socket socket;
    private volatile @Nullable String blocked;
    private volatile @Nullable RabbitMqConnection publishing;

    /** A task that may throw because the server goes away. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    RabbitMqConnection(RabbitMqServer server) {
        this.server = server;
    }

    /** @param addresses the library tries them in an order that it draws at random, until one takes the connection */
    void open(ConnectionFactory options, List<Address> addresses, String name) throws IOException, TimeoutException {
        options.setSocketConfigurator(created -> {
            created.setTcpNoDelay(true);
            socket = created;
        });
        connection = options.newConnection(consumers, addresses, name);
        connection.addShutdownListener(cause -> end());
        connection.addBlockedListener(this::block, this::unblock);
    }

    /** A channel whose end is the end of this connection. */
    public Channel channel() throws IOException {
        Channel channel = connection.createChannel();
        channel.addShutdownListener(cause -> end());
        return channel;
    }

    /**
     * A second connection, for publishing. When the server is short of memory or disk, it blocks every connection that
     * publishes, and then nothing is received over it either. When one of the two connections ends, so does the other.
     */
    public RabbitMqConnection publishing(String name) throws IOException, TimeoutException {
        return server.connect(name, second -> {
            second.connection.addShutdownListener(cause -> end());
            publishing = second;
            return second;
        });
    }

    /** The number of consumers of a queue; 0 if there is no such queue. Waits for the server. */
    public int consumers(String queue) throws IOException, TimeoutException {
        // It uses a channel of its own, because the server closes the channel if there is no such queue.
        try (Channel channel = connection.createChannel()) {
            return channel.queueDeclarePassive(queue).getConsumerCount();
        } catch (IOException e) {
            if (e.getCause() instanceof ShutdownSignalException closed
                    && closed.getReason() instanceof AMQP.Channel.Close answer
                    && answer.getReplyCode() == AMQP.NOT_FOUND) {
                return 0;
            }
            throw RabbitMqServer.reason(e);
        }
    }

    /** The server is short of memory or disk. */
    private void block(String reason) {
        log.warn("RabbitMQ at {} takes no messages: {}", server.address(), reason);
        blocked = reason;
    }

    private void unblock() {
        log.info("RabbitMQ at {} takes messages again", server.address());
        blocked = null;
    }

    @Override
    public @Nullable String problem() {
        String reason = blocked;
        RabbitMqConnection second = publishing;
        return reason != null ? server + " takes no messages: " + reason : second == null ? null : second.problem();
    }

    /** Makes {@link #awaitEnd} return. */
    public void end() {
        ended.countDown();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /**
     * Runs a task that writes to the server, on a thread of its own: a write blocks while the server does not read.
     *
     * @param most how long this waits for the task; a task that runs longer ends when this connection is closed
     */
    public static void within(Duration most, Task task) {
        Thread thread = Daemon.start("rabbitmq-close", () -> {
            try {
                task.run();
            } catch (Exception e) {
                log.debug("Not done before the connection ended", e);
            }
        });
        Daemon.join(thread, most);
    }

    /** Closes within a second, even if the server does not read. */
    @Override
    public void close() {
        RabbitMqConnection second = publishing;
        if (second != null) {
            second.close();
        }
        if (connection != null) {
            within(CLOSE_WITHIN, () -> connection.abort((int) CLOSE_WITHIN.toMillis()));
        }
        consumers.shutdown();
        // A task that still runs is blocked in a write to a server that does not read, or waits for its answer.
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
