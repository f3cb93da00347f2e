package dev.chatterbox.queue;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection that does one thing in a way of its own, and for all else uses another connection, which it owns. */
public abstract class ForwardingQueue implements QueueConnection {

    private final QueueConnection other;

    protected ForwardingQueue(QueueConnection other) {
        this.other = other;
    }

    @Override
    public void make(Spread spread, boolean empty) throws Exception {
        other.make(spread, empty);
    }

    @Override
    public List<String> topics() {
        return other.topics();
    }

    @Override
    public void remove() throws Exception {
        other.remove();
    }

    @Override
    public boolean isAcknowledged() {
        return other.isAcknowledged();
    }

    @Override
    public void publish(int number, byte[] message) throws Exception {
        other.publish(number, message);
    }

    @Override
    public AutoCloseable consume(Spread spread, int group, int consumers, Consumer<byte[]> taken) throws Exception {
        return other.consume(spread, group, consumers, taken);
    }

    @Override
    public void tell(byte[] message) throws Exception {
        other.tell(message);
    }

    @Override
    public @Nullable String problem() {
        return other.problem();
    }

    @Override
    public void awaitEnd() throws Exception {
        other.awaitEnd();
    }

    @Override
    public void close() {
        other.close();
    }
}
