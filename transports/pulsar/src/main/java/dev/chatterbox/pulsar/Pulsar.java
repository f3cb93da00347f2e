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

    public static String broker(String url) {
        return "the Pulsar broker at " + url;
    }

    /** Makes a client, which connects when it is used. Nobody need wait for its closing, which takes two seconds. */
    public static PulsarClient client(String url) throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl(url)
                .connectionTimeout(2, TimeUnit.SECONDS)
                // The client gives up a broker that has not answered for so long.
                .lookupTimeout(3, TimeUnit.SECONDS)
                .operationTimeout(3, TimeUnit.SECONDS)
                // The client reconnects within a second after the broker is back. By default it takes up to 60 s.
                .startingBackoffInterval(100, TimeUnit.MILLISECONDS)
                .maxBackoffInterval(500, TimeUnit.MILLISECONDS)
                // A broker that says nothing for twice this time is taken to be gone. By default 30 s.
                .keepAliveInterval(5, TimeUnit.SECONDS)
                // By default sending fails while 64 MB wait for the broker. Here requesters bound what is in flight.
                .memoryLimit(0, SizeUnit.BYTES)
                .statsInterval(0, TimeUnit.SECONDS)
                .build();
    }

    /** @param batching how long a message may wait for others to share its batch; zero if it does not wait */
    public static ProducerBuilder<byte[]> producer(PulsarClient client, String topic, Duration batching) {
        // A producer that does not batch has no use for the delay, but zero is refused.
        Duration delay = batching.isZero() ? Duration.ofMillis(1) : batching;
        return client.newProducer()
                .topic(topic)
                // The library's default has no bound, so sending neither waits nor fails: requesters bound what is in
                // flight.
                .enableBatching(!batching.isZero())
                .batchingMaxPublishDelay(delay.toNanos(), TimeUnit.NANOSECONDS);
    }
}
