package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueConsumer;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueListener.Answer;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.queue.Spread;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/**
 * One-way messages over RabbitMQ: a durable queue, publisher confirms, and consumers that acknowledge in batches, each
 * over a connection of its own. A topic is a queue. Where there are several groups, each has queues of its own, and an
 * exchange puts each message into those of all groups. The server confirms a persistent message when it is on disk, and
 * another one when the queue has it.
 *
 * <p>A variant's settings: {@code uri}; {@code durable}, whether messages survive the server; {@code quorum}, whether
 * queues are quorum queues and not classic ones; {@code confirms=false} for none; {@code prefetch}, the most
 * unacknowledged messages of a consumer; {@code acknowledge}, how many it acknowledges at once.
 */
public class RabbitMqQueue extends QueueConnection {

    private static final int TRANSIENT = 1;

    /**
     * How far a confirm may lag behind the last message: one slow queue may hold its messages back while others go on.
     * A power of two.
     */
    private static final int RING = 1 << 20;

    private final RabbitMqServer server;
    private final boolean confirms;
    private final AMQP.BasicProperties properties;

    @SuppressWarnings("NullAway.Init")
    private RabbitMqConnection connection;

    /** Makes and removes queues. While the server is short of memory it reads nothing that is published. */
    @SuppressWarnings("NullAway.Init")
    private Channel admin;

    @SuppressWarnings("NullAway.Init")
    private Channel messages;

    /** The numbers of the messages that are on their way, each at its sequence number in the channel; else 0. */
    private final AtomicIntegerArray unconfirmed = new AtomicIntegerArray(RING);

    /** All sequence numbers before it are confirmed. Only the connection's thread uses it. */
    private long confirmedBefore = 1;

    /** At first the default exchange, which knows each queue by its name. */
    private String exchange = "";

    public RabbitMqQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
        confirms = Boolean.parseBoolean(settings.client("confirms", "true"));
        properties = new AMQP.BasicProperties.Builder()
                .deliveryMode(settings.isOn("durable") ? RabbitMqServer.PERSISTENT : TRANSIENT)
                .build();
        server = new RabbitMqServer("client.uri", settings.client("uri"));
    }

    @Override
    public void open() throws IOException, TimeoutException {
        connection = server.connect(settings.queue(), opened -> opened);
        atClose(connection::close);
        admin = connection.channel();
        messages = connection.publishing(settings.queue() + " messages").channel();
        if (confirms) {
            messages.confirmSelect();
        }
        messages.addConfirmListener(
                (sequence, multiple) -> confirmed(sequence, multiple, true),
                (sequence, multiple) -> confirmed(sequence, multiple, false));
    }

    /** Runs on the connection's thread. */
    private void confirmed(long sequence, boolean multiple, boolean isStored) {
        // The places of older ones belong to others now.
        long first = multiple ? Math.max(confirmedBefore, sequence - RING / 2 + 1) : sequence;
        for (long confirmed = first; confirmed <= sequence; confirmed++) {
            int number = unconfirmed.getAndSet(place(confirmed), 0);
            if (number > 0) {
                listener.answered(number, isStored ? Answer.ACKNOWLEDGED : Answer.REFUSED);
            }
        }
        if (multiple) {
            confirmedBefore = sequence + 1;
        }
    }

    private static int place(long sequence) {
        return (int) sequence & RING - 1;
    }

    @Override
    protected void make(Spread newSpread) throws Exception {
        if (newSpread.groups() > 1) {
            exchange = groupsExchange();
            admin.exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, true);
        }
        Map<String, Object> arguments = new HashMap<>(Map.of("x-expires", RabbitMqServer.EXPIRES_MILLIS));
        if (settings.isOn("quorum")) {
            arguments.put("x-queue-type", "quorum");
        }
        for (String topic : topics()) {
            for (int group = 0; group < newSpread.groups(); group++) {
                String queue = newSpread.group(topic, group);
                admin.queueDeclare(queue, true, false, false, arguments);
                if (newSpread.groups() > 1) {
                    admin.queueBind(queue, exchange, topic);
                }
            }
        }
    }

    @Override
    public void remove() throws Exception {
        for (String topic : topics()) {
            for (int group = 0; group < spread().groups(); group++) {
                admin.queueDelete(spread().group(topic, group));
            }
        }
        // Also that of an earlier time, which may have bound other queues.
        admin.exchangeDelete(groupsExchange());
    }

    private String groupsExchange() {
        return settings.queue() + ".groups";
    }

    /** The exchange to which messages are published, with their topic as the routing key. */
    protected String exchange() {
        return exchange;
    }

    @Override
    public boolean isAcknowledged() {
        return confirms;
    }

    /** Blocks while the server does not read. */
    @Override
    public void publish(int number, byte[] message) throws Exception {
        if (confirms) {
            unconfirmed.set(place(messages.getNextPublishSeqNo()), number);
        }
        messages.basicPublish(exchange, topic(number), properties, message);
    }

    @Override
    protected QueueConsumer consumer(Spread spread, int group, Consumer<byte[]> handler) throws Exception {
        return server.connect(settings.queue() + " consumer", own -> {
            Consuming consuming = new Consuming(own, own.channel(), handler);
            consuming.getChannel().basicQos(settings.number("prefetch", 1_000));
            for (String topic : spread.topics(settings.queue())) {
                consuming.getChannel().basicConsume(spread.group(topic, group), consuming);
            }
            return consuming;
        });
    }

    /** Acknowledges in batches. What it has not acknowledged when its connection ends is delivered again. */
    private final class Consuming extends DefaultConsumer implements QueueConsumer {

        private final RabbitMqConnection own;
        private final Consumer<byte[]> handler;
        private final Acknowledgements acknowledgements;
        private boolean stopped;

        Consuming(RabbitMqConnection own, Channel channel, Consumer<byte[]> handler) {
            super(channel);
            this.own = own;
            this.handler = handler;
            acknowledgements = new Acknowledgements(getChannel(), settings.number("acknowledge", 50));
        }

        @Override
        public synchronized void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties of, byte[] body) {
            if (!stopped) {
                handler.accept(body);
                acknowledgements.finished(envelope.getDeliveryTag());
            }
        }

        @Override
        public synchronized void stop() {
            stopped = true;
            acknowledgements.acknowledge();
        }

        @Override
        public void close() {
            own.close();
        }

        /** The queue is gone, or the server. */
        @Override
        public void handleCancel(String tag) {
            connection.end();
        }

        @Override
        public void handleShutdownSignal(String tag, ShutdownSignalException cause) {
            if (!cause.isInitiatedByApplication()) {
                connection.end();
            }
        }
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        connection.awaitEnd();
    }
}
