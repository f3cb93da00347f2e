package dev.chatterbox.raw;

import dev.chatterbox.kafka.TopicAdmin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A reply topic that nobody else reads. It is there for one run: the end of the JVM deletes it, however the run ended.
 */
final class ReplyTopic {

    private ReplyTopic() {}

    /**
     * Makes a topic of one partition. Its retention is a bound for a topic that a killed JVM leaves behind, too.
     *
     * @return its name
     * @throws Exception the broker does not answer, or refuses
     */
    static String make(String servers) throws Exception {
        String name = "raw-client.replies." + UUID.randomUUID();
        Admin admin = Admin.create(
                Map.of("bootstrap.servers", servers, "default.api.timeout.ms", 10_000, "request.timeout.ms", 5_000));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(admin, name), "delete-reply-topic"));
        NewTopic topic = new NewTopic(name, Optional.of(1), Optional.empty()).configs(TopicAdmin.RETENTION);
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
