package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSide;
import dev.chatterbox.queue.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange {@code queue} over RabbitMQ: a durable queue of its own, publisher confirms, and consumers that
 * acknowledge in batches, each over a connection of its own. A topic is a queue. Where there are several groups, each
 * has queues of its own, and an exchange puts each message into those of all groups. The server confirms a persistent
 * message when it is on disk, and another one when the queue has it.
 */
public final class RabbitMqQueue implements QueueConnection {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqQueue.class);

    private static final int PERSISTENT = 2;
    private static final int TRANSIENT = 1;

    /** A queue that nobody has used for so long is left from a requester that died. */
    private static final int EXPIRES_MILLIS = 600_000;

    /** More than twice the most publishers, who each have one message on its way. A power of two. */
    private static final int RING = 2_048;

    private final RabbitMqServer server;
    private final RabbitMqConnection connection;
    private final String name;
    private final String queue;
    private final String tells;
    private final Settings settings;
    private final QueueListener listener;

    /**
     * The requester's is over a connection of its own: while the server is short of memory it reads no message, and what
     * is told would wait behind a message that cannot be written.
     */
    private final Channel messages;

    private final Channel telling;
    private final AMQP.BasicProperties properties;

    /** The numbers of the messages that are on their way, each at its sequence number in the channel; else 0. */
    private final AtomicIntegerArray unconfirmed = new AtomicIntegerArray(RING);

    /** All sequence numbers before it are confirmed. Only the connection's thread uses it. */
    private long confirmedBefore = 1;

    private Spread spread = Spread.NONE;
    private List<String> topics = List.of();

    /** At first the default exchange, which knows each queue by its name. */
    private String exchange = "";

    /**
     * What a row may have different from others.
     *
     * @param persistent whether messages survive the server; the requester's is used
     * @param quorum whether it is a quorum queue and not a classic one; the requester's is used
     * @param confirms whether the server says of each message that it has it; the requester's is used
     * @param prefetch the most unacknowledged messages of a consumer; the responder's is used, as the next one
     * @param acknowledge how many messages are acknowledged at once, not more than the prefetch
     */
    public record Settings(boolean persistent, boolean quorum, boolean confirms, int prefetch, int acknowledge) {}

    private RabbitMqQueue(
            RabbitMqServer server,
            RabbitMqConnection connection,
            String name,
            QueueSide side,
            String address,
            Settings settings,
            QueueListener listener)
            throws IOException, TimeoutException {
        this.server = server;
        this.connection = connection;
        this.name = name;
        this.settings = settings;
        this.listener = listener;
        queue = QueueSide.queue(address);
        tells = side.tells(queue);
        properties = new AMQP.BasicProperties.Builder()
                .deliveryMode(settings.persistent() ? PERSISTENT : TRANSIENT)
                .build();
        messages =
                (side == QueueSide.REQUESTER ? connection.publishing(name + " queue messages") : connection).channel();
        if (settings.confirms()) {
            messages.confirmSelect();
        }
        messages.addConfirmListener(
                (sequence, multiple) -> confirmed(sequence, multiple, true),
                (sequence, multiple) -> confirmed(sequence, multiple, false));
        telling = connection.channel();
        for (QueueSide one : QueueSide.values()) {
            telling.exchangeDeclare(one.hears(queue), BuiltinExchangeType.FANOUT);
        }
        String heard = telling.queueDeclare().getQueue();
        telling.queueBind(heard, side.hears(queue), "");
        telling.basicConsume(heard, true, (tag, told) -> listener.told(told.getBody()), tag -> connection.end());
    }

    /**
     * @param name the server shows it as the connection's name
     * @param address the queue of requests
     */
    public static RabbitMqQueue open(
            RabbitMqServer server,
            String name,
            QueueSide side,
            String address,
            Settings settings,
            QueueListener listener)
            throws IOException, TimeoutException {
        return server.connect(
                name + " queue",
                connection -> new RabbitMqQueue(server, connection, name, side, address, settings, listener));
    }

    /** Runs on the connection's thread. */
    private void confirmed(long sequence, boolean multiple, boolean taken) {
        // Older ones are confirmed: there are not so many on their way. Their places belong to others now.
        long first = multiple ? Math.max(confirmedBefore, sequence - RING / 2 + 1) : sequence;
        for (long each = first; each <= sequence; each++) {
            int number = unconfirmed.getAndSet(place(each), 0);
            if (number > 0 && taken) {
                listener.acknowledged(number);
            } else if (number > 0) {
                listener.refused(number);
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
    public void make(Spread made, boolean empty) throws Exception {
        spread = made;
        topics = made.topics(queue);
        if (empty) {
            remove();
        }
        if (made.groups() > 1) {
            exchange = groupsExchange();
            telling.exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, true);
        }
        Map<String, Object> arguments = new HashMap<>(Map.of("x-expires", EXPIRES_MILLIS));
        if (settings.quorum()) {
            arguments.put("x-queue-type", "quorum");
        }
        for (String topic : topics) {
            for (int group = 0; group < made.groups(); group++) {
                String one = made.group(topic, group);
                telling.queueDeclare(one, true, false, false, arguments);
                if (made.groups() > 1) {
                    telling.queueBind(one, exchange, topic);
                }
            }
        }
    }

    @Override
    public void remove() throws Exception {
        for (String topic : topics) {
            for (int group = 0; group < spread.groups(); group++) {
                telling.queueDelete(spread.group(topic, group));
            }
        }
        // Also that of an earlier run, which may have bound other queues.
        telling.exchangeDelete(groupsExchange());
    }

    private String groupsExchange() {
        return queue + ".groups";
    }

    @Override
    public List<String> topics() {
        return topics;
    }

    /** The exchange to which messages are published, with their topic as the routing key. */
    public String exchange() {
        return exchange;
    }

    @Override
    public boolean isAcknowledged() {
        return settings.confirms();
    }

    /** Blocks while the server does not read. */
    @Override
    public void publish(int number, byte[] message) throws Exception {
        if (settings.confirms()) {
            unconfirmed.set(place(messages.getNextPublishSeqNo()), number);
        }
        messages.basicPublish(exchange, topic(number), properties, message);
    }

    @Override
    public AutoCloseable consume(Spread spread, int group, int consumers, Consumer<byte[]> taken) throws Exception {
        List<Taking> open = new ArrayList<>();
        try {
            for (int i = 0; i < consumers; i++) {
                open.add(server.connect(name + " queue consumer", own -> {
                    Taking taking = new Taking(own, taken);
                    taking.getChannel().basicQos(settings.prefetch());
                    for (String topic : spread.topics(queue)) {
                        taking.getChannel().basicConsume(spread.group(topic, group), taking);
                    }
                    return taking;
                }));
            }
        } catch (IOException | TimeoutException | RuntimeException e) {
            open.forEach(Taking::close);
            throw e;
        }
        return () -> {
            // All stop first, so that none takes again what another one has taken.
            open.forEach(Taking::stop);
            open.forEach(Taking::close);
        };
    }

    /** Acknowledges in batches. What it has not acknowledged when its connection ends is delivered again. */
    private final class Taking extends DefaultConsumer {

        private final RabbitMqConnection own;
        private final Consumer<byte[]> taken;
        private long last;
        private long acknowledged;
        private boolean stopped;

        Taking(RabbitMqConnection own, Consumer<byte[]> taken) throws IOException {
            super(own.channel());
            this.own = own;
            this.taken = taken;
        }

        @Override
        public synchronized void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties of, byte[] body)
                throws IOException {
            if (stopped) {
                return;
            }
            taken.accept(body);
            last = envelope.getDeliveryTag();
            if (last - acknowledged >= settings.acknowledge()) {
                acknowledge();
            }
        }

        private void acknowledge() throws IOException {
            if (last > acknowledged) {
                getChannel().basicAck(last, true);
                acknowledged = last;
            }
        }

        /** Takes no more. */
        synchronized void stop() {
            stopped = true;
            try {
                acknowledge();
            } catch (IOException | AlreadyClosedException e) {
                log.debug("The server is gone: what is not acknowledged comes again", e);
            }
        }

        void close() {
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
    public synchronized void tell(byte[] message) throws IOException {
        telling.basicPublish(tells, "", null, message);
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
        connection.close();
    }
}
