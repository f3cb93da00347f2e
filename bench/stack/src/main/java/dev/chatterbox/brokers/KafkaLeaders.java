package dev.chatterbox.brokers;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartitionInfo;

/** The main class of a short-lived JVM that has the broker's jars: it asks a Kafka cluster who leads. */
final class KafkaLeaders {

    private static final long SECONDS = 10;

    private KafkaLeaders() {}

    /**
     * Prints the id of the active controller, and in the same line how many partitions each node leads, such as {@code
     * 2 {1=4, 2=4, 3=5}}.
     *
     * @param args the addresses of the cluster
     */
    public static void main(String[] args) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
            int controller = admin.describeMetadataQuorum()
                    .quorumInfo()
                    .get(SECONDS, TimeUnit.SECONDS)
                    .leaderId();
            Map<Integer, Integer> partitions = new TreeMap<>();
            admin.describeTopics(admin.listTopics().names().get(SECONDS, TimeUnit.SECONDS))
                    .allTopicNames()
                    .get(SECONDS, TimeUnit.SECONDS)
                    .values()
                    .forEach(topic -> topic.partitions().stream()
                            .map(TopicPartitionInfo::leader)
                            .forEach(leader -> partitions.merge(leader == null ? -1 : leader.id(), 1, Integer::sum)));
            System.out.println(controller + " " + partitions);
        }
    }
}
