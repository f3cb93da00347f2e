package dev.chatterbox.kafka;

import static java.util.Map.entry;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Options that requester and responder share. */
public final class KafkaOptions {

    /** Of every client. A broker that comes back is found within a second. */
    public static final Map<String, Object> COMMON = Map.of(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);

    /** Of the producer of requests, and of that of replies. */
    public static final Map<String, Object> PRODUCER = Map.ofEntries(
            // Stored logs have equal terms: a record counts when it is stored. acks=0 would be faster, but unfair.
            entry(ProducerConfig.ACKS_CONFIG, "all"),
            // The default since Kafka 4 is 5 ms. A lone call waits for all of it; under load batches fill anyway, while
            // the request before is on its way.
            entry(ProducerConfig.LINGER_MS_CONFIG, 0),
            // A batch of the default size, 16 KiB, holds one record of 8 KiB: each call would need its own batch.
            entry(ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10),
            // A message is worth nothing after the deadline of its call; with a longer deadline this is longer, too.
            entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 5_000),
            entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4_000));

    /** The most records of one poll. The default, 500, divides a burst of messages into more polls. */
    public static final int MAX_POLL_RECORDS = 2_000;

    private KafkaOptions() {}

    /** Merges the options; if several have the same key, the last one applies. */
    @SafeVarargs
    public static Map<String, Object> merged(Map<String, Object>... options) {
        Map<String, Object> all = new HashMap<>();
        for (Map<String, Object> some : options) {
            all.putAll(some);
        }
        return all;
    }

    /** A producer with these options, merged as {@link #merged} does. */
    @SafeVarargs
    public static Producer<byte[], byte[]> producer(Map<String, Object>... options) {
        return new KafkaProducer<>(merged(options), new ByteArraySerializer(), new ByteArraySerializer());
    }
}
