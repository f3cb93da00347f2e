package dev.chatterbox.nats;

import dev.chatterbox.queue.BlockingPublisher;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSettings;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * Publishes as jnats' documentation shows it first: {@code JetStream.publish()} waits for each acknowledgement, by
 * default for two seconds.
 */
public final class JetStreamStockQueue extends JetStreamQueue {

    private final BlockingPublisher publisher;

    @SuppressWarnings("NullAway.Init")
    private JetStream jetStream;

    public JetStreamStockQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
        publisher = new BlockingPublisher(this::publish, listener);
    }

    @Override
    public void open() throws IOException, InterruptedException, TimeoutException {
        super.open();
        jetStream = connection.jetStream();
    }

    private boolean publish(String subject, byte[] message) throws IOException {
        try {
            jetStream.publish(subject, message);
            return true;
        } catch (JetStreamApiException e) {
            return false;
        }
    }

    @Override
    public void publish(int number, byte[] message) {
        publisher.publish(number, topic(number), message);
    }

    @Override
    public void close() {
        publisher.close();
        super.close();
    }
}
