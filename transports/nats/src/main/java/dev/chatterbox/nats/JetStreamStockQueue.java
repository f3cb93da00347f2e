package dev.chatterbox.nats;

import dev.chatterbox.queue.BlockingPublisher;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueListener.Answer;
import dev.chatterbox.queue.QueueSettings;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;

/**
 * Publishes as jnats' documentation shows it first: {@code JetStream.publish()} waits for each acknowledgement, by
 * default for two seconds. With the variant's setting {@code publish=async} it is {@code publishAsync()}, whose future
 * completes with the acknowledgement.
 */
public final class JetStreamStockQueue extends JetStreamQueue {

    private final BlockingPublisher publisher;
    private final boolean isAsync;

    @SuppressWarnings("NullAway.Init")
    private JetStream jetStream;

    public JetStreamStockQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
        publisher = new BlockingPublisher(this::publish, listener);
        isAsync = settings.client("publish", "sync").equals("async");
    }

    @Override
    public void open() throws Exception {
        super.open();
        jetStream = connection.jetStream();
        atClose(publisher::close);
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
        if (isAsync) {
            jetStream.publishAsync(topic(number), message).whenComplete((ack, error) -> settle(number, error));
        } else {
            publisher.publish(number, topic(number), message);
        }
    }

    /** Completes on jnats' own thread; what the server answered is the innermost cause. */
    private void settle(int number, @Nullable Throwable error) {
        Throwable cause = error == null ? null : NestedExceptionUtils.getMostSpecificCause(error);
        boolean refused = cause instanceof JetStreamApiException;
        listener.answered(number, cause == null ? Answer.ACKNOWLEDGED : refused ? Answer.REFUSED : Answer.UNKNOWN);
    }
}
