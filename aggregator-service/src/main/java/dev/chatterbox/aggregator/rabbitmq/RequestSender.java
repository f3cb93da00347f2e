package dev.chatterbox.aggregator.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import dev.chatterbox.aggregator.client.SquareRequest;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Publishes requests on a thread of its own: the library writes to the socket on the thread that publishes, which
 * stands there while the server does not read. Thread-safe.
 */
final class RequestSender implements Runnable {

    private final Channel channel;
    private final String queue;
    private final String replyTo;
    private final BlockingQueue<Waiting> waiting;
    private final LongConsumer unsent;
    private final Thread thread;
    private volatile boolean closed;

    /** @param deadline by {@link System#nanoTime} */
    private record Waiting(long correlationId, SquareRequest request, long deadline) {}

    /**
     * @param most how many requests may wait here
     * @param unsent told the correlation id of a request that could not be published, on the sender's thread
     */
    RequestSender(Channel channel, String queue, String replyTo, int most, LongConsumer unsent) {
        this.channel = channel;
        this.queue = queue;
        this.replyTo = replyTo;
        this.waiting = new ArrayBlockingQueue<>(most);
        this.unsent = unsent;
        thread = new Thread(this, "rabbitmq-requests");
        thread.setDaemon(true);
        thread.start();
    }

    /** @return false where it is not sent, for too many wait or the connection has gone */
    boolean offer(long correlationId, SquareRequest request) {
        boolean taken = waiting.offer(new Waiting(
                correlationId, request, System.nanoTime() + request.timeout().toNanos()));
        // Looked at afterwards: either the end of the connection ends the call, or it is seen here.
        return taken && !closed;
    }

    void close() {
        closed = true;
        thread.interrupt();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                publish(waiting.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void publish(Waiting next) {
        long left = TimeUnit.NANOSECONDS.toMillis(next.deadline - System.nanoTime());
        if (left <= 0) {
            return; // nobody waits for it any more
        }
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .correlationId(Long.toString(next.correlationId, Character.MAX_RADIX))
                .replyTo(replyTo)
                .expiration(Long.toString(left))
                .build();
        try {
            channel.basicPublish("", queue, true, properties, next.request.body());
        } catch (IOException | AlreadyClosedException e) {
            unsent.accept(next.correlationId);
        }
    }
}
