package dev.chatterbox.aggregator.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ReturnCallback;
import dev.chatterbox.aggregator.client.CorrelatedClient;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.rabbitmq.RabbitMqConnection;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection with a channel for requests and one for replies, which come to an exclusive queue, or past queues (direct
 * reply-to), for which both must be one channel. Requests are published on a thread of their own: the library writes to
 * the socket on the thread that publishes, which stands there while the server does not read. Thread-safe.
 */
final class RabbitMqRequester implements BrokerConnection {

    private static final String DIRECT_REPLY_TO = "amq.rabbitmq.reply-to";

    /** @param deadline by {@link System#nanoTime} */
    private record Waiting(long correlationId, SquareRequest request, long deadline) {}

    private final RabbitMqConnection connection;
    private final String queue;
    private final Channel channel;
    private final String replyTo;
    private final BlockingQueue<Waiting> waiting;
    private final LongConsumer unsent;
    private final Thread publisher = RabbitMqConnection.daemon(this::publish, "requests");

    /**
     * @param most how many requests may wait to be published
     * @param replied takes replies, on the connection's consumer thread
     * @param returned takes requests for which there is no queue, on the connection's reading thread
     * @param unsent takes the correlation id of a request that could not be published, on the publishing thread
     */
    RabbitMqRequester(
            RabbitMqConnection connection,
            String queue,
            RabbitMqSettings.ReplyPath replies,
            int most,
            Consumer<Delivery> replied,
            ReturnCallback returned,
            LongConsumer unsent)
            throws IOException {
        this.connection = connection;
        this.queue = queue;
        this.unsent = unsent;
        waiting = new ArrayBlockingQueue<>(most);
        boolean direct = replies == RabbitMqSettings.ReplyPath.DIRECT;
        Channel receiving = connection.channel();
        channel = direct ? receiving : connection.channel();
        replyTo = direct
                ? DIRECT_REPLY_TO
                : receiving.queueDeclare("", false, true, true, null).getQueue();
        receiving.basicConsume(replyTo, true, (consumer, reply) -> replied.accept(reply), consumer -> connection.end());
        channel.addReturnListener(returned);
        publisher.start();
    }

    /** @return false where the request is not sent, because too many wait */
    boolean offer(long correlationId, SquareRequest request) {
        return waiting.offer(new Waiting(
                correlationId, request, System.nanoTime() + request.timeout().toNanos()));
    }

    private void publish() {
        try {
            while (!Thread.interrupted()) {
                publish(waiting.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void publish(Waiting next) {
        long left = TimeUnit.NANOSECONDS.toMillis(next.deadline - System.nanoTime());
        if (left <= 0) {
            return; // its call has ended
        }
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .correlationId(CorrelatedClient.text(next.correlationId))
                .replyTo(replyTo)
                .expiration(Long.toString(left))
                .build();
        try {
            channel.basicPublish("", queue, true, properties, next.request.body());
        } catch (IOException | RuntimeException e) {
            unsent.accept(next.correlationId);
        }
    }

    int responders() throws Exception {
        return connection.consumers(queue);
    }

    @Override
    public @Nullable String problem() {
        return connection.problem();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        connection.awaitEnd();
    }

    @Override
    public void close() {
        publisher.interrupt();
        connection.close();
    }
}
