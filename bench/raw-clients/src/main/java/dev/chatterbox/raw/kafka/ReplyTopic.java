package dev.chatterbox.raw.kafka;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * A reply topic that nobody else reads. It is there for one run: the end of the JVM deletes it, however the run ended.
 */
final class ReplyTopic {

    /**
     * At 200,000 replies a second the log grows by 20 MB a second; and a JVM that is killed leaves its topic behind.
     */
    private static final Map<String, String> RETENTION = Map.of(
            TopicConfig.RETENTION_MS_CONFIG, "600000",
            TopicConfig.RETENTION_BYTES_CONFIG, "268435456",
            TopicConfig.SEGMENT_BYTES_CONFIG, "67108864");

    private ReplyTopic() {}

    /**
     * Makes a topic of one partition.
     *
     * @return its name
     * @throws Exception the broker does not answer, or refuses
     */
    static String make(String servers) throws Exception {
        String name = "raw-client.replies." + UUID.randomUUID();
        Admin admin = Admin.create(
                Map.of("bootstrap.servers", servers, "default.api.timeout.ms", 10_000, "request.timeout.ms", 5_000));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(admin, name), "delete-reply-topic"));
        NewTopic topic = new NewTopic(name, Optional.of(1), Optional.empty()).configs(RETENTION);
        admin.createTopics(List.of(topic)).all().get(10, TimeUnit.SECONDS);
        return name;
    }

    private static void delete(Admin admin, String name) {
        try {
            admin.deleteTopics(List.of(name)).all().get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            System.err.println("The topic " + name + " could not be deleted: " + e);
        }
    }
}
