package dev.chatterbox.nats;

import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSide;
import dev.chatterbox.queue.Spread;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The exchange {@code queue} over core NATS, which stores nothing and acknowledges nothing: each message goes to one
 * member of a queue group, or nowhere. {@link JetStreamQueue} stores.
 */
public class NatsQueue implements QueueConnection {

    /**
     * How the queue is found.
     *
     * @param subject on which the responder takes requests
     * @param group the responders' queue group
     */
    public record Address(String subject, String group) {

        String queue() {
            return QueueSide.queue(subject);
        }

        /** What consumers subscribe to: all topics. */
        String topics(Spread spread) {
            return spread.topics() == 1 ? queue() : queue() + Spread.TOPIC + "*";
        }
    }

    final Connection connection;
    final Address address;
    private final NatsConnection<?> kept;
    private final String tells;
    private List<String> topics = List.of();

    NatsQueue(NatsConnection<?> kept, QueueSide side, Address address) {
        this.kept = kept;
        this.address = address;
        connection = kept.connection();
        tells = side.tells(address.queue());
    }

    /** @param name the server shows it as the connection's name */
    public static NatsQueue open(
            NatsAccess access, String name, QueueSide side, Address address, QueueListener listener)
            throws IOException, InterruptedException, TimeoutException {
        return new NatsQueue(connect(access, name, side, address, listener), side, address);
    }

    static NatsConnection<Dispatcher> connect(
            NatsAccess access, String name, QueueSide side, Address address, QueueListener listener)
            throws IOException, InterruptedException, TimeoutException {
        return NatsConnection.open(
                access,
                options -> options.connectionName(name + " queue"),
                Duration.ZERO,
                connection -> connection
                        .createDispatcher(message -> listener.told(message.getData()))
                        .subscribe(side.hears(address.queue())));
    }

    @Override
    public void make(Spread spread, boolean empty) throws Exception {
        // There is nothing to make in the server.
        topics = spread.topics(address.queue());
    }

    @Override
    public List<String> topics() {
        return topics;
    }

    @Override
    public void remove() throws Exception {
        // There is nothing to remove.
    }

    @Override
    public boolean isAcknowledged() {
        return false;
    }

    /** Blocks while jnats' own queue is full. */
    @Override
    public void publish(int number, byte[] message) {
        connection.publish(topic(number), message);
    }

    @Override
    public AutoCloseable consume(Spread spread, int group, int consumers, Consumer<byte[]> taken) throws Exception {
        List<Dispatcher> dispatchers = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            dispatchers.add(connection
                    .createDispatcher(message -> taken.accept(message.getData()))
                    .subscribe(address.topics(spread), spread.group(address.group(), group)));
        }
        flush();
        return () -> dispatchers.forEach(connection::closeDispatcher);
    }

    /** One at a time: jnats ends a connection in which more than two flushes are on their way. */
    private synchronized void flush() throws TimeoutException, InterruptedException {
        connection.flush(Duration.ofMillis(ANSWER_MILLIS));
    }

    @Override
    public void tell(byte[] message) {
        connection.publish(tells, message);
    }

    @Override
    public void awaitEnd() throws Exception {
        kept.awaitEnd();
    }

    @Override
    public void close() {
        kept.close();
    }
}
