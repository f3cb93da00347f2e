package dev.chatterbox.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Options that requester and responder share. */
public final class KafkaOptions {

    /** Of every client. A broker that comes back is found within a second. */
    public static final Map<String, Object> COMMON = Map.of(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);

    /** Of the producer of requests, and of that of replies. */
    public static final Map<String, Object> PRODUCER = Map.of(
            // Equal terms for a stored log: a record counts once it is stored. acks=0 would be faster and dishonest.
            ProducerConfig.ACKS_CONFIG,
            "all",
            // The default since Kafka 4 is 5 ms, a wait that a lone call pays in full; under load batches fill while
            // the request before is on its way.
            ProducerConfig.LINGER_MS_CONFIG,
            0,
            // A batch of the default size, 16 KiB, holds one record of 8 KiB: each call would pay for a batch.
            ProducerConfig.BATCH_SIZE_CONFIG,
            256 << 10,
            // A message is worth nothing after the deadline of its call (chatterbox.call-timeout).
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            5_000,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            4_000);

    /** Of a consumer, at most: 500, the default, cuts a burst of messages into more rounds. */
    public static final int MAX_POLL_RECORDS = 2_000;

    private KafkaOptions() {}

    /** All of these; the later ones win. */
    @SafeVarargs
    public static Map<String, Object> merged(Map<String, Object>... options) {
        Map<String, Object> all = new HashMap<>();
        for (Map<String, Object> some : options) {
            all.putAll(some);
        }
        return all;
    }
}
