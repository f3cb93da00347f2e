package dev.chatterbox.aggregator.kafka;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What this aggregator needs besides {@code spring.kafka}.
 *
 * @param instance tells aggregators over one broker apart. A number chooses the partition of the reply topic, modulo their
 *     count, any other word its hash; where it is empty it is random. Two that share a partition are right all the same: each
 *     then skips the other's replies
 */
@ConfigurationProperties("chatterbox.kafka")
record KafkaClientProperties(@DefaultValue("") String instance) {

    /** @param process what is random about this process */
    int replyPartition(int partitions, long process) {
        int number;
        try {
            number = instance.isBlank() ? Long.hashCode(process) : Integer.parseInt(instance.trim());
        } catch (NumberFormatException word) {
            number = instance.hashCode();
        }
        return Math.floorMod(number, partitions);
    }
}
