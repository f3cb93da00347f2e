package dev.chatterbox.queue;

import dev.chatterbox.connection.BrokerConnection;
import java.util.List;
import java.util.function.Consumer;

/**
 * A connection for one-way messages, from its opening until it breaks. Its class has a public constructor that takes
 * {@link QueueSettings} and a {@link QueueListener}, and throws if the broker cannot be reached. The program that
 * produces makes the queue, publishes, and removes the queue; the program that consumes only consumes.
 *
 * <p>Only one thread makes, publishes and removes.
 */
public interface QueueConnection extends BrokerConnection {

    /** How long a library may wait for its broker in one of these methods, in milliseconds. */
    int ANSWER_MILLIS = 5_000;

    /**
     * Makes the queue, if it is missing: all its topics, and what its groups need.
     *
     * @param empty whether nothing of an earlier time may be in it
     */
    void make(Spread spread, boolean empty) throws Exception;

    /** Removes the queue that was made, and all that is in it. */
    void remove() throws Exception;

    /** The topics of the queue that was made. */
    List<String> topics();

    /** The topic to which a message goes. */
    default String topic(int number) {
        List<String> all = topics();
        return all.get(number % all.size());
    }

    /** Whether the broker confirms each message that it has. */
    boolean isAcknowledged();

    /**
     * Publishes a message. May block while the library or the broker takes no more, but does not wait for the
     * acknowledgement, which the listener gets.
     *
     * @param number of the message, which its acknowledgement names
     * @throws Exception it is not known whether the broker has the message
     */
    void publish(int number, byte[] message) throws Exception;

    /**
     * Begins to consume, and acknowledges each message after {@code taken} has returned, if this transport does so.
     *
     * @param group of those of the spread, from 0
     * @param consumers how many consumers share the group's work, 1 to 16
     * @param taken takes each message on its consumer's thread
     * @return ends the consuming: after its close no message is taken
     */
    AutoCloseable consume(Spread spread, int group, int consumers, Consumer<byte[]> taken) throws Exception;
}
