package dev.chatterbox.aggregator.queue;

import com.google.protobuf.UnsafeByteOperations;
import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.proto.QueueMessage;
import dev.chatterbox.queue.QueueClock;
import dev.chatterbox.queue.QueueConnection;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes the messages of a run, each once and in the order of their numbers, on a thread of its own. */
final class Publisher {

    private static final Logger log = LoggerFactory.getLogger(Publisher.class);

    private final QueueRequest request;
    private final QueueMessage.Builder message;
    private final Published published;
    private final KeptConnection<QueueConnection> connection;
    private final Runnable over;
    private final Thread thread = new Thread(this::publish, "queue-publisher");
    private volatile boolean stopped;
    private volatile boolean done;
    private volatile long firstAt;
    private volatile long firstMicros;

    /** @param over is called on the publisher's thread when it publishes no more */
    Publisher(
            QueueRequest request,
            long run,
            Published published,
            KeptConnection<QueueConnection> connection,
            Runnable over) {
        this.request = request;
        this.published = published;
        this.connection = connection;
        this.over = over;
        byte[] payload = new byte[request.payload()];
        ThreadLocalRandom.current().nextBytes(payload);
        message = QueueMessage.newBuilder().setRun(run).setPayload(UnsafeByteOperations.unsafeWrap(payload));
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Publishes no more; waits so long for a message that is being written. */
    void stop(long mostMillis) throws InterruptedException {
        // A library may swallow the interrupt.
        stopped = true;
        thread.interrupt();
        thread.join(mostMillis);
    }

    /** Whether it publishes no more. */
    boolean isDone() {
        return done;
    }

    /** When the first message was published, by {@link System#nanoTime}. */
    long firstAt() {
        return firstAt;
    }

    /** The same in microseconds since 1970. */
    long firstMicros() {
        return firstMicros;
    }

    private void publish() {
        try {
            firstMicros = QueueClock.micros();
            firstAt = System.nanoTime();
            for (int number = 1; number <= request.n() && !stopped; number++) {
                published.awaitPlace();
                awaitTurn(number);
                QueueConnection open = awaitConnection();
                byte[] body = message.setNumber(number)
                        .setMade(QueueClock.micros())
                        .build()
                        .toByteArray();
                published.publishing(number, System.nanoTime());
                try {
                    open.publish(number, body);
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) {
                    log.debug("Message {}", number, e);
                    published.unknown(number);
                }
            }
        } catch (InterruptedException e) {
            log.debug("The run is over before all is published");
        } finally {
            done = true;
            over.run();
        }
    }

    /** Messages come in bursts of a millisecond, because a thread cannot sleep for less. */
    private void awaitTurn(int number) throws InterruptedException {
        if (request.rate() > 0) {
            long ahead = firstAt + (number - 1) * TimeUnit.SECONDS.toNanos(1) / request.rate() - System.nanoTime();
            if (ahead > TimeUnit.MILLISECONDS.toNanos(1)) {
                TimeUnit.NANOSECONDS.sleep(ahead);
            }
        }
    }

    /** Waits for ever: the thread is interrupted when the run is given up. */
    private QueueConnection awaitConnection() throws InterruptedException {
        QueueConnection open = connection.current();
        while (open == null) {
            TimeUnit.MILLISECONDS.sleep(10);
            open = connection.current();
        }
        return open;
    }
}
