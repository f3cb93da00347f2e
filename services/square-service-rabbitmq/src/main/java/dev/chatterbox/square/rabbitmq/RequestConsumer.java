package dev.chatterbox.square.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Takes requests from the queue, over one channel that carries the replies too. Deliveries come on the connection's
 * only consumer thread, one after the other.
 */
final class RequestConsumer extends DefaultConsumer {

    /**
     * Requests that are here and not acknowledged. Enough that the server never waits for an acknowledgement, and no
     * more than another responder can take over within a moment where this one dies.
     */
    private static final int PREFETCH = 1000;

    /** What has been answered for so long, and is no whole batch. */
    private static final Duration ACKNOWLEDGE_WITHIN = Duration.ofMillis(50);

    private final SquareResponder responder;
    private final Acknowledgements acknowledgements;
    private final CountDownLatch ended = new CountDownLatch(1);

    private RequestConsumer(Channel channel, SquareResponder responder) {
        super(channel);
        this.responder = responder;
        acknowledgements = new Acknowledgements(channel);
    }

    /** Makes the queue, if it is not there, and begins to take from it. */
    static RequestConsumer open(Connection connection, String queue, SquareResponder responder) throws IOException {
        Channel channel = connection.createChannel();
        // Requests are transient; the queue outlives a restart of the server, for version 4 knows shared ones no other.
        channel.queueDeclare(queue, true, false, false, null);
        channel.basicQos(PREFETCH);
        channel.addReturnListener(
                returned -> responder.undeliverable("there is no queue " + returned.getRoutingKey() + " to reply to"));
        RequestConsumer consumer = new RequestConsumer(channel, responder);
        channel.basicConsume(queue, consumer);
        return consumer;
    }

    @Override
    public void handleDelivery(String consumer, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
        long tag = envelope.getDeliveryTag();
        String replyTo = properties.getReplyTo();
        if (replyTo == null) {
            responder.refuse("it names no queue to reply to", Reply.NOWHERE);
            acknowledgements.finished(tag);
            return;
        }
        if (envelope.isRedeliver() && replyTo.startsWith(RabbitMqReply.CHANNEL)) {
            // Some of these addresses make the server end the connection: the request would come again for ever.
            acknowledgements.finished(tag);
            acknowledgements.acknowledge();
        }
        boolean answered = responder.answer(
                body,
                new RabbitMqReply(
                        getChannel(), replyTo, properties.getCorrelationId(), tag, acknowledgements, responder));
        if (!answered) {
            acknowledgements.finished(tag);
        }
    }

    /** The queue was deleted. */
    @Override
    public void handleCancel(String consumer) {
        ended.countDown();
    }

    /** Comes after every delivery. */
    @Override
    public void handleCancelOk(String consumer) {
        ended.countDown();
    }

    @Override
    public void handleShutdownSignal(String consumer, ShutdownSignalException cause) {
        ended.countDown();
    }

    /** Returns when nothing comes any more, and all that was answered is acknowledged. */
    void awaitEnd() throws InterruptedException {
        while (!ended.await(ACKNOWLEDGE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
            acknowledgements.acknowledge();
        }
        acknowledgements.acknowledge();
    }

    /** Takes no more; returns when what is here was answered. Blocks while the server does not read. */
    void drain() throws IOException, InterruptedException {
        getChannel().basicCancel(getConsumerTag());
        ended.await();
    }
}
