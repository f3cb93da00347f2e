package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatterbox.connection.BrokerConnection;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
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
    private final Connection connection;
    /** What is delivered after the close is of no use to anybody: the library would let its refusal end a thread. */
    private final ExecutorService consumers = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> daemon(task, "consumer"),
            new ThreadPoolExecutor.DiscardPolicy());

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Socket socket;
    private volatile @Nullable String blocked;
    private volatile @Nullable RabbitMqConnection publishing;

    /** What may throw as the server goes away. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    RabbitMqConnection(RabbitMqServer server, ConnectionFactory options, String name)
            throws IOException, TimeoutException {
        this.server = server;
        options.setSocketConfigurator(made -> {
            made.setTcpNoDelay(true);
            socket = made;
        });
        try {
            connection = options.newConnection(consumers, name);
        } catch (IOException | TimeoutException | RuntimeException e) {
            consumers.shutdown();
            throw e;
        }
        connection.addShutdownListener(cause -> end());
        connection.addBlockedListener(this::block, this::unblock);
    }

    /** A thread that ends with the program at the latest. */
    public static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, "rabbitmq-" + name);
        thread.setDaemon(true);
        return thread;
    }

    /** A channel whose end is the end of this connection. */
    public Channel channel() throws IOException {
        Channel channel = connection.createChannel();
        channel.addShutdownListener(cause -> end());
        return channel;
    }

    /**
     * A second connection, to publish over: the server holds those up that publish when it is short of something, and
     * whoever receives over the same connection with them. Its end is the end of this one, and it is closed with it.
     */
    public RabbitMqConnection publishing(String name) throws IOException, TimeoutException {
        return server.connect(name, second -> {
            second.connection.addShutdownListener(cause -> end());
            publishing = second;
            return second;
        });
    }

    /** How many take from a queue; 0 where there is no such queue. Waits for the server. */
    public int consumers(String queue) throws IOException, TimeoutException {
        // A channel of its own, which the server closes where there is no such queue.
        try (Channel channel = connection.createChannel()) {
            return channel.queueDeclarePassive(queue).getConsumerCount();
        } catch (IOException e) {
            if (e.getCause() instanceof ShutdownSignalException closed && !closed.isHardError()) {
                return 0;
            }
            throw e;
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

    /** Ends it: {@link #awaitEnd} returns. */
    public void end() {
        ended.countDown();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /**
     * Runs what writes to the server, on a thread of its own: it stands in the write while the server does not read.
     *
     * @param most how long this waits for it; the closing of this connection ends what is still at work then
     */
    public static void within(Duration most, Task task) {
        Thread thread = daemon(
                () -> {
                    try {
                        task.run();
                    } catch (Exception e) {
                        log.debug("Not done before the connection ended", e);
                    }
                },
                "close");
        thread.start();
        try {
            thread.join(most.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Within a second, also where the server does not read. */
    @Override
    public void close() {
        RabbitMqConnection second = publishing;
        if (second != null) {
            second.close();
        }
        within(CLOSE_WITHIN, () -> connection.abort((int) CLOSE_WITHIN.toMillis()));
        consumers.shutdown();
        // What is still at work stands in a write to a server that does not read, or waits for its answer.
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
