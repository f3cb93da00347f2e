package dev.chatterbox.queue;

import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Opening;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A connection for one-way messages, from its opening until it breaks. Its class has a public constructor that takes
 * {@link QueueSettings} and a {@link QueueListener}. The program that produces makes the queue, publishes, and removes
 * the queue; the program that consumes only consumes.
 *
 * <p>Only one thread opens, makes, publishes and removes.
 */
public abstract class QueueConnection implements BrokerConnection {

    /** How long a library may wait for its broker in one of these methods, in milliseconds. */
    protected static final int ANSWER_MILLIS = 5_000;

    protected final QueueSettings settings;
    protected final QueueListener listener;

    private Spread spread = Spread.NONE;
    private List<String> topics = List.of();
    /** What closes all that was opened, the last first. */
    private final Deque<Runnable> closings = new ArrayDeque<>();

    protected QueueConnection(QueueSettings settings, QueueListener listener) {
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Connects; called once, before all else. Whoever calls it closes this, also where it throws.
     *
     * @throws Exception the broker cannot be reached
     */
    public abstract void open() throws Exception;

    /**
     * Makes the queue, if it is missing: all its topics, and what its groups need.
     *
     * @param empty whether nothing of an earlier time may be in it
     */
    public final void make(Spread newSpread, boolean empty) throws Exception {
        spread = newSpread;
        topics = newSpread.topics(settings.queue());
        if (empty) {
            remove();
        }
        make(newSpread);
    }

    protected abstract void make(Spread newSpread) throws Exception;

    /** Removes the topics of the queue, if they are there, and all that is in them, also from an earlier time. */
    public abstract void remove() throws Exception;

    protected final Spread spread() {
        return spread;
    }

    /** The topics of the queue; none before it is made. */
    protected final List<String> topics() {
        return topics;
    }

    /** The topic to which a message goes. */
    protected final String topic(int number) {
        return topics.get(number % topics.size());
    }

    /** Whether the broker confirms each message that it has. */
    public boolean isAcknowledged() {
        return true;
    }

    /**
     * Publishes a message. May block while the library or the broker takes no more, but does not wait for the
     * acknowledgement, which the listener gets.
     *
     * @param number of the message, which its acknowledgement names
     * @throws Exception it is not known whether the broker has the message
     */
    public abstract void publish(int number, byte[] message) throws Exception;

    /**
     * Begins to consume, and acknowledges each message after {@code handler} has returned, if this transport does so.
     * Returns when each consumer has its share of the messages, or none after some seconds.
     *
     * @param group of those of the spread, from 0
     * @param consumers how many consumers share the group's work, 1 to 16
     * @param handler takes each message on its consumer's thread
     * @return ends the consuming: after its close no message is taken
     */
    public AutoCloseable consume(Spread of, int group, int consumers, Consumer<byte[]> handler) throws Exception {
        List<QueueConsumer> open = new ArrayList<>();
        return Opening.orClose(() -> close(open), () -> {
            for (int i = 0; i < consumers; i++) {
                open.add(consumer(of, group, handler));
            }
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS);
            for (QueueConsumer consumer : open) {
                consumer.awaitShare(end);
            }
            return () -> close(open);
        });
    }

    private static void close(List<QueueConsumer> consumers) throws Exception {
        // All stop first, so that none takes again what another one has taken.
        consumers.forEach(QueueConsumer::stop);
        for (QueueConsumer consumer : consumers) {
            consumer.close();
        }
    }

    /** Opens one of the consumers of {@link #consume}. */
    protected abstract QueueConsumer consumer(Spread of, int group, Consumer<byte[]> handler) throws Exception;

    /** Notes how to close what was just opened: {@link #close} closes it before all that was opened earlier. */
    protected final void atClose(Runnable closing) {
        closings.push(closing);
    }

    @Override
    public void close() {
        closings.forEach(Runnable::run);
    }
}
