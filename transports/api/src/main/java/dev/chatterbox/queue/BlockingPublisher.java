package dev.chatterbox.queue;

import dev.chatterbox.connection.Daemon;
import dev.chatterbox.queue.QueueListener.Answer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes by a method that waits for each acknowledgement. Each message that is on its way holds a thread, so there
 * are as many threads as there are messages on their way.
 */
public final class BlockingPublisher implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BlockingPublisher.class);

    private final Publication publication;
    private final QueueListener listener;

    private final ExecutorService threads =
            Executors.newCachedThreadPool(task -> Daemon.thread("queue-publication", task));

    /** How a message is published, on one of the threads. */
    @FunctionalInterface
    public interface Publication {

        /**
         * Returns when the broker has the message.
         *
         * @return false if the broker does not take it
         * @throws Exception it is not known whether the broker has it
         */
        boolean publish(String topic, byte[] message) throws Exception;
    }

    public BlockingPublisher(Publication publication, QueueListener listener) {
        this.publication = publication;
        this.listener = listener;
    }

    /** Returns at once. */
    public void publish(int number, String topic, byte[] message) {
        threads.execute(() -> publishAndWait(number, topic, message));
    }

    private void publishAndWait(int number, String topic, byte[] message) {
        try {
            boolean stored = publication.publish(topic, message);
            listener.answered(number, stored ? Answer.ACKNOWLEDGED : Answer.REFUSED);
        } catch (Exception e) {
            log.debug("Message {}", number, e);
            listener.answered(number, Answer.UNKNOWN);
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
