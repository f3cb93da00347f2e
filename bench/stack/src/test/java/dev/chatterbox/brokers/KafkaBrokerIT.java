package dev.chatterbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class KafkaBrokerIT {

    private final KafkaBroker kafka = new KafkaBroker();

    /** This is one test, because each start of the broker takes seconds. */
    @Test
    void keepsItsDataInAFolderOfAnyNameWhenItsPortsMove(@TempDir Path directory) throws Exception {
        Path odd = directory.resolve("a, b; ü %20 #");
        try (RunningBroker broker = RunningBroker.start(kafka, ports(), odd)) {
            // There is no wait here: a broker that is said to be started serves clients.
            assertThat(createTopicAndList(broker)).contains("greetings");
        }
        Path formatted = odd.resolve("kafka/data/meta.properties");
        assertThat(formatted).exists();
        try (RunningBroker broker = RunningBroker.start(kafka, ports(), odd)) {
            assertThat(topics(broker)).contains("greetings");
        }
        // Formatting writes this file last: if the file is missing, the formatting was interrupted.
        Files.delete(formatted);
        try (RunningBroker broker = RunningBroker.start(kafka, ports(), odd)) {
            assertThat(broker.process().isAlive()).isTrue();
        }
    }

    @Test
    void saysWhichFolderIsBroken(@TempDir Path directory) throws Exception {
        Path data = directory.resolve("kafka/data");
        Files.createDirectories(data);
        Files.writeString(data.resolve("meta.properties"), "version=1\nnode.id=7\ncluster.id=another\n");

        assertThatThrownBy(() -> RunningBroker.start(kafka, ports(), directory))
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("node id 7")
                .hasMessageContaining("If its data folder is broken, delete it: " + data);
    }

    private static Map<String, Integer> ports() {
        Iterator<Integer> free = Ports.free(2).iterator();
        return Map.of("client", free.next(), "controller", free.next());
    }

    private static Set<String> createTopicAndList(RunningBroker broker) throws Exception {
        try (Admin admin = admin(broker)) {
            admin.createTopics(List.of(new NewTopic("greetings", 4, (short) 1)))
                    .all()
                    .get();
            return admin.listTopics().names().get();
        }
    }

    private static Set<String> topics(RunningBroker broker) throws Exception {
        try (Admin admin = admin(broker)) {
            return admin.listTopics().names().get();
        }
    }

    private static Admin admin(RunningBroker broker) {
        return Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.environment().get("KAFKA_BOOTSTRAP_SERVERS")));
    }
}
