package dev.chatterbox.kafka;

import static java.util.Map.entry;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.util.unit.DataSize;

/**
 * The settings that a variant gives to this client.
 *
 * @param servers one address or several, with commas between them
 * @param instance distinguishes the aggregators of one broker, and chooses the partition of the reply topic: a number
 *     modulo the count of partitions, the hash of any other word, or a random one if it is empty. Two aggregators may
 *     share a partition: each then skips the other's replies
 * @param linger how long the producer of requests waits for a fuller batch
 * @param batch the most bytes of a batch of one partition
 * @param acks what a producer waits for: {@code all}, {@code 1} for the leader alone, {@code 0} for nothing
 * @param commitEach whether the reader of replies waits for a commit after every reply; without it, nothing is
 *     committed
 */
record KafkaSettings(
        @DefaultValue("localhost:9092") String servers,
        @DefaultValue("") String instance,
        @DefaultValue("0ms") Duration linger,
        @DefaultValue("256KB") DataSize batch,
        @DefaultValue("all") String acks,
        boolean commitEach) {

    KafkaSettings {
        if (servers.isBlank()) {
            throw new IllegalArgumentException("client.servers must be host:port, or several with commas between them");
        }
        if (!acks.matches("all|1|0")) {
            throw new IllegalArgumentException("client.acks must be all, 1 or 0");
        }
        // /transports, errors and logs show this text.
        if (servers.contains("@")) {
            throw new IllegalArgumentException(
                    "client.servers must hold no user and no password: they belong in spring.kafka.properties.*");
        }
    }

    /**
     * The options of every client.
     *
     * @param spring what Kafka requires of clients; our own settings override it
     */
    Map<String, Object> options(KafkaProperties spring) {
        return KafkaOptions.merged(
                spring.buildAdminProperties(),
                KafkaOptions.COMMON,
                Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, servers));
    }

    /** The options of the producer. */
    Map<String, Object> producer() {
        return Map.ofEntries(
                entry(ProducerConfig.LINGER_MS_CONFIG, (int) linger.toMillis()),
                entry(ProducerConfig.BATCH_SIZE_CONFIG, (int) batch.toBytes()),
                entry(ProducerConfig.ACKS_CONFIG, acks));
    }

    /** Shows only what decides the cost of a call, because the other properties hold passwords. */
    void showSecurity(Map<String, Object> shown, KafkaProperties spring) {
        Object protocol = spring.buildAdminProperties().get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        if (protocol != null) {
            shown.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, protocol);
        }
    }

    /**
     * @param process a random number of this process
     * @param offset keeps the variants of one aggregator apart, because each would read the replies of the other; there
     *     must be more partitions than such variants
     */
    int replyPartition(int partitions, int process, int offset) {
        int number;
        try {
            number = instance.isBlank() ? process : Integer.parseInt(instance.trim());
        } catch (NumberFormatException word) {
            number = instance.hashCode();
        }
        return Math.floorMod((long) number + offset, partitions);
    }
}
