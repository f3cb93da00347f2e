package dev.chatterbox.nats;

import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueConsumer;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.queue.Spread;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * One-way messages over core NATS, which stores nothing and acknowledges nothing: each message goes to one member of a
 * queue group, or nowhere. {@link JetStreamQueue} stores. A variant's settings: {@code server} and {@code properties}.
 */
public class NatsQueue extends QueueConnection {

    @SuppressWarnings("NullAway.Init")
    Connection connection;

    @SuppressWarnings("NullAway.Init")
    private NatsConnection<?> open;

    public NatsQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
    }

    @Override
    public void open() throws Exception {
        NatsAccess access = NatsAccess.of("client", settings.client("server"), settings.client("properties", ""));
        open = NatsConnection.open(
                access, options -> options.connectionName(settings.queue()), Duration.ZERO, connected -> connected);
        atClose(open::close);
        connection = open.connection();
    }

    /** What consumers subscribe to: all topics. */
    String subjects(Spread spread) {
        return spread.topics() == 1 ? settings.queue() : settings.queue() + Spread.TOPIC + "*";
    }

    @Override
    protected void make(Spread newSpread) throws Exception {
        // There is nothing to make in the server.
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
    protected QueueConsumer consumer(Spread spread, int group, Consumer<byte[]> handler) throws Exception {
        Dispatcher dispatcher = connection
                .createDispatcher(message -> handler.accept(message.getData()))
                .subscribe(subjects(spread), spread.group(settings.group(), group));
        flush();
        return () -> connection.closeDispatcher(dispatcher);
    }

    /** One at a time: jnats ends a connection in which more than two flushes are on their way. */
    private synchronized void flush() throws TimeoutException, InterruptedException {
        connection.flush(Duration.ofMillis(ANSWER_MILLIS));
    }

    @Override
    public void awaitEnd() throws Exception {
        open.awaitEnd();
    }
}
