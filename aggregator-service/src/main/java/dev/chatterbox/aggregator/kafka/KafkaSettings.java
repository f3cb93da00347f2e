package dev.chatterbox.aggregator.kafka;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a row tells this client.
 *
 * @param servers one address or several, with commas between them
 * @param instance tells aggregators over one broker apart. A number chooses the partition of the reply topic, modulo
 *     their count, any other word its hash; where it is empty it is random. Two that share a partition are right all
 *     the same: each then skips the other's replies
 */
record KafkaSettings(
        @DefaultValue("localhost:9092") String servers,
        @DefaultValue("") String instance) {

    KafkaSettings {
        if (servers.isBlank()) {
            throw new IllegalArgumentException("client.servers must be host:port, or several with commas between them");
        }
    }

    /**
     * @param process what is random about this process
     * @param offset keeps rows of one aggregator apart: one would read through the replies of the other
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
