package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Daemon;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.traces.WorkSpan;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * A connection that brings requests, over one channel that carries the replies too. Requests are answered on the
 * connection's only consumer thread, one after the other.
 */
final class RabbitMqRequests extends DefaultConsumer implements BrokerConnection {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqRequests.class);

    /**
     * How requests are taken and answered.
     *
     * @param prefetch the most unacknowledged requests here. By default they are enough that the server never waits
     *     for an acknowledgement, and few enough that another responder can take them over within a moment if this
     *     one dies
     * @param acknowledge how many requests are acknowledged at once. More than the default gains nothing: one
     *     acknowledgement for 50 costs at most a twentieth of a reply per delivery
     * @param queueType {@code classic}, or {@code quorum} for a queue that the nodes of a cluster store together
     * @param confirmEach whether each reply is persistent and waits for its confirm before the next request
     */
    @ConfigurationProperties("rabbitmq.requests")
    record Settings(int prefetch, int acknowledge, String queueType, boolean confirmEach) {}

    /** Finished deliveries that make up no whole batch are acknowledged after this time at the latest. */
    private static final Duration ACKNOWLEDGE_WITHIN = Duration.ofMillis(50);

    /** How long the stop waits for answers to received requests. */
    private static final Duration DRAIN_WITHIN = Duration.ofSeconds(3);

    /**
     * For quorum queues only. A server that stood still for some seconds, and led a quorum queue, may deliver no more
     * to a consumer on another node when it goes on (4.0.5; rabbitmq-server issues 13828 and 14675). If requests wait
     * for so many seconds, and nothing comes although all is answered, the connection is made again.
     */
    private static final int FORGOTTEN_AFTER = 3;

    private final RabbitMqConnection connection;
    private final String queue;
    final Settings settings;
    private final Channel questions;
    final SquareResponder responder;
    final Acknowledgements acknowledgements;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** The tag of the last delivery. */
    private volatile long delivered;

    private RabbitMqRequests(
            RabbitMqConnection connection,
            Channel channel,
            Channel questions,
            String queue,
            Settings settings,
            SquareResponder responder) {
        super(channel);
        this.connection = connection;
        this.queue = queue;
        this.settings = settings;
        this.questions = questions;
        this.responder = responder;
        acknowledgements = new Acknowledgements(channel, settings.acknowledge());
    }

    /** Makes the queue, if it is not there, and begins to take from it. */
    static RabbitMqRequests open(
            RabbitMqConnection connection, String queue, Settings settings, SquareResponder responder)
            throws IOException {
        RabbitMqRequests opened = new RabbitMqRequests(
                connection, connection.channel(), connection.channel(), queue, settings, responder);
        opened.consume();
        return opened;
    }

    private void consume() throws IOException {
        Channel channel = getChannel();
        if (settings.confirmEach()) {
            channel.confirmSelect();
        }
        // Requests are transient, but the queue is durable: RabbitMQ 4 has no other shared queues.
        channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", settings.queueType()));
        channel.basicQos(settings.prefetch());
        channel.addReturnListener(
                returned -> responder.undeliverable("there is no queue " + returned.getRoutingKey() + " to reply to"));
        channel.basicConsume(queue, this);
        // It has a thread of its own, because a write blocks while the server does not read.
        Daemon.start("rabbitmq-acknowledgements", this::acknowledge);
    }

    private void acknowledge() {
        try {
            while (!ended.await(ACKNOWLEDGE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                acknowledgements.acknowledge();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void handleDelivery(String consumer, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
        long tag = envelope.getDeliveryTag();
        delivered = tag;
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
        WorkSpan span = responder.trace(RabbitMqReply.header(properties.getHeaders(), Traces.PARENT));
        if (!responder.answer(body, new RabbitMqReply(this, replyTo, properties.getCorrelationId(), tag, span))) {
            acknowledgements.finished(tag);
        }
    }

    /** The server calls this when the queue was deleted. */
    @Override
    public void handleCancel(String consumer) {
        ended.countDown();
    }

    /** The server calls this after every delivery. */
    @Override
    public void handleCancelOk(String consumer) {
        ended.countDown();
    }

    @Override
    public void handleShutdownSignal(String consumer, ShutdownSignalException cause) {
        ended.countDown();
    }

    @Override
    public @Nullable String problem() {
        return connection.problem();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        boolean quorum = settings.queueType().equals("quorum");
        int seconds = 0;
        long before = 0;
        while (!ended.await(1, TimeUnit.SECONDS)) {
            if (!questions.isOpen()) {
                return;
            }
            seconds = quorum && delivered == before && acknowledgements.haveAll(delivered) && requestsWait()
                    ? seconds + 1
                    : 0;
            before = delivered;
            if (seconds == FORGOTTEN_AFTER) {
                log.warn("Requests wait in {}, and none came for {} s: connects again", queue, FORGOTTEN_AFTER);
                return;
            }
        }
    }

    private boolean requestsWait() {
        try {
            return questions.queueDeclarePassive(queue).getMessageCount() > 0;
        } catch (IOException | AlreadyClosedException e) {
            // Its channel is closed then, which ends the wait.
            return false;
        }
    }

    /** Takes no more requests, answers those that are here, closes. Without its server it closes at once. */
    @Override
    public void close() {
        if (ended.getCount() > 0) {
            RabbitMqConnection.within(DRAIN_WITHIN, this::drain);
            ended.countDown();
        }
        connection.close();
    }

    private void drain() throws InterruptedException {
        try {
            getChannel().basicCancel(getConsumerTag());
            ended.await();
            acknowledgements.acknowledge();
        } catch (IOException | AlreadyClosedException e) {
            log.warn("Some requests were not answered: {}", e.toString());
        }
    }
}
