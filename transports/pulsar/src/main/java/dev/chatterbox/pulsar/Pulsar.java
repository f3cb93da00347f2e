package dev.chatterbox.pulsar;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;

/** The options of clients and producers, and the properties of messages. */
public final class Pulsar {

    /** A property of a request, which comes back in its reply. */
    public static final String CORRELATION_ID = "correlation_id";

    /** A property of a request: the topic to reply to. */
    public static final String REPLY_TOPIC = "reply_topic";

    private Pulsar() {}

    /** The topic of batches, beside that of single requests. */
    public static String batches(String topic) {
        return topic + ".batch";
    }

    /** The broker, for messages. */
    public static String broker(String url) {
        return "the Pulsar broker at " + url;
    }

    /** A client, which connects when it is used, and whose closing need not be waited for: its threads take two seconds. */
    public static PulsarClient client(String url) throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl(url)
                .connectionTimeout(2, TimeUnit.SECONDS)
                // A broker that does not answer is given up after so long.
                .lookupTimeout(3, TimeUnit.SECONDS)
                .operationTimeout(3, TimeUnit.SECONDS)
                // Back within a second when the broker is. By default up to 60 s.
                .startingBackoffInterval(100, TimeUnit.MILLISECONDS)
                .maxBackoffInterval(500, TimeUnit.MILLISECONDS)
                // A broker that says nothing for twice as long is gone. By default 30 s.
                .keepAliveInterval(5, TimeUnit.SECONDS)
                // By default sending fails where 64 MB wait for the broker: what is in flight is bounded by requesters.
                .memoryLimit(0, SizeUnit.BYTES)
                .statsInterval(0, TimeUnit.SECONDS)
                .build();
    }

    /** @param batching how long a message may wait for others; zero for not at all */
    public static ProducerBuilder<byte[]> producer(PulsarClient client, String topic, Duration batching) {
        ProducerBuilder<byte[]> producer = client.newProducer()
                .topic(topic)
                // No bound, at which sending would wait or fail: what is in flight is bounded by requesters.
                .maxPendingMessages(0)
                .enableBatching(!batching.isZero());
        if (!batching.isZero()) {
            producer.batchingMaxPublishDelay(batching.toNanos(), TimeUnit.NANOSECONDS);
        }
        return producer;
    }
}
