package dev.chatterbox.aggregator.pulsar;

import dev.chatterbox.aggregator.client.CorrelatedClient;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.pulsar.Pulsar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;

/**
 * What calls go over until the connection to the broker breaks: a reader of this aggregator's topic of replies, and a
 * producer for each topic of requests. The library would connect them again, and send what was not stored long after its
 * deadline.
 */
final class PulsarRequester implements BrokerConnection {

    /** How soon a broken connection is noticed: the library has no listener for it, and retries after 100 ms. */
    private static final long POLL_MILLIS = 50;

    private final PulsarClient client;
    private final String replyTopic;
    private final Reader<byte[]> reader;
    private final List<Producer<byte[]>> producers = new ArrayList<>();

    /**
     * Waits for the broker.
     *
     * @param topics that of single requests, and that of batches where the row has any
     * @param replied takes replies, on a thread of the client's
     */
    static PulsarRequester open(
            PulsarSettings settings, List<String> topics, String replyTopic, Consumer<Message<byte[]>> replied)
            throws PulsarClientException {
        PulsarClient client = Pulsar.client(settings.url());
        try {
            return new PulsarRequester(client, topics, replyTopic, settings.batching(), replied);
        } catch (PulsarClientException | RuntimeException e) {
            client.closeAsync();
            throw e;
        }
    }

    private PulsarRequester(
            PulsarClient client,
            List<String> topics,
            String replyTopic,
            Duration batching,
            Consumer<Message<byte[]>> replied)
            throws PulsarClientException {
        this.client = client;
        this.replyTopic = replyTopic;
        // A subscription that is its own, from the latest message on, and ends with the connection.
        reader = client.newReader()
                .topic(replyTopic)
                .startMessageId(MessageId.latest)
                .readerListener((from, reply) -> replied.accept(reply))
                .create();
        for (String topic : topics) {
            producers.add(Pulsar.producer(client, topic, batching)
                    // None of its own, after which sending would fail: a call has its deadline.
                    .sendTimeout(0, TimeUnit.SECONDS)
                    .create());
        }
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
                .property(Pulsar.CORRELATION_ID, CorrelatedClient.text(correlationId))
                .property(Pulsar.REPLY_TOPIC, replyTopic)
                .value(request.body())
                .sendAsync();
    }

    /** Returns also where the library has made another connection since. */
    @Override
    public void awaitEnd() throws InterruptedException {
        while (reader.isConnected()
                && producers.stream()
                        .allMatch(producer -> producer.isConnected() && producer.getLastDisconnectedTimestamp() == 0)) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** Without waiting for the broker. Without a connection, what was not stored fails on this thread. */
    @Override
    public void close() {
        client.closeAsync();
    }
}
