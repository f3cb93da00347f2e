package dev.chatterbox.aggregator.pulsar;

import dev.chatterbox.aggregator.client.SquareRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;

/**
 * What calls go over until the connection to the broker breaks: a reader of this aggregator's topic of replies, and a
 * producer for each topic of requests. The library would connect them again, and send again what was not stored.
 */
final class PulsarConnection implements AutoCloseable {

    /** So soon it is noticed that the connection has broken; the library tells nobody. Less than its first retry takes. */
    private static final long LOOK_MILLIS = 50;

    private final String replyTopic;
    private final Reader<byte[]> reader;
    private final List<Producer<byte[]>> producers = new ArrayList<>();

    /**
     * Waits for the broker.
     *
     * @param topics that of unary requests, and that of batches where the row has any
     * @param batching how long a request may wait for others; zero for not at all
     * @param replied takes replies, on a thread of the client's
     */
    static PulsarConnection open(
            PulsarClient client,
            List<String> topics,
            String replyTopic,
            Duration batching,
            Consumer<Message<byte[]>> replied)
            throws PulsarClientException {
        // A subscription that is its own, from the latest message on, and ends with the connection.
        Reader<byte[]> reader = client.newReader()
                .topic(replyTopic)
                .startMessageId(MessageId.latest)
                .readerListener((from, reply) -> replied.accept(reply))
                .create();
        PulsarConnection connection = new PulsarConnection(replyTopic, reader);
        try {
            for (String topic : topics) {
                connection.producers.add(producer(client, topic, batching));
            }
            return connection;
        } catch (PulsarClientException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private PulsarConnection(String replyTopic, Reader<byte[]> reader) {
        this.replyTopic = replyTopic;
        this.reader = reader;
    }

    private static Producer<byte[]> producer(PulsarClient client, String topic, Duration batching)
            throws PulsarClientException {
        ProducerBuilder<byte[]> producer = client.newProducer()
                .topic(topic)
                // No bound, at which sending would wait or fail: that of the calls in flight is one.
                .maxPendingMessages(0)
                // Nor a time of its own, after which sending fails: a call has its deadline.
                .sendTimeout(0, TimeUnit.SECONDS)
                .enableBatching(!batching.isZero());
        if (!batching.isZero()) {
            producer.batchingMaxPublishDelay(batching.toNanos(), TimeUnit.NANOSECONDS);
        }
        return producer.create();
    }

    /**
     * Sends a request, without waiting for the broker. Safe for concurrent use.
     *
     * @return completes when it is stored, or with why it is not
     */
    CompletableFuture<MessageId> send(long correlationId, SquareRequest request) {
        return producers
                .get(request.batch() ? 1 : 0)
                .newMessage()
                .property(PulsarMessages.CORRELATION_ID, Long.toString(correlationId, Character.MAX_RADIX))
                .property(PulsarMessages.REPLY_TOPIC, replyTopic)
                .value(request.body())
                .sendAsync();
    }

    /** Returns when the connection has broken, also where the library has made another since. */
    void awaitEnd() throws InterruptedException {
        while (reader.isConnected()
                && producers.stream()
                        .allMatch(producer -> producer.isConnected() && producer.getLastDisconnectedTimestamp() == 0)) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Without waiting for the broker. Without a connection, what was not stored fails on this thread. */
    @Override
    public void close() {
        producers.forEach(Producer::closeAsync);
        reader.closeAsync();
    }
}
