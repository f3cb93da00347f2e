package dev.chatterbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.Probe;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing runs beside these tests, because they measure how long starts take. */
@Tag("long")
@Isolated
@Execution(ExecutionMode.SAME_THREAD)
class ClusterIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The brokers that form clusters and that this machine can have. */
    static Stream<Broker> brokers() {
        return BrokersIT.brokers().stream().filter(Broker::clusters);
    }

    /** This is one test, because each start of a cluster takes seconds. */
    @ParameterizedTest
    @MethodSource("brokers")
    void eachNodeComesBackAndNothingIsLeft(Broker definition) throws IOException {
        long start = System.nanoTime();
        RunningBroker cluster = RunningBroker.start(definition, 3);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        System.out.printf("Three nodes of %s were up after %.1f s.%n", definition.name(), took.toMillis() / 1e3);
        assertThat(took).isLessThan(Duration.ofSeconds(20));
        try (cluster) {
            List<RunningNode> nodes = cluster.nodes();
            assertThat(nodes).hasSize(3);
            for (RunningNode node : nodes) {
                assertThat(cluster.environment().values())
                        .anySatisfy(value -> assertThat(value).contains("127.0.0.1:" + node.port()));
                List<ChildProcess> others = nodes.stream()
                        .filter(other -> other != node)
                        .map(RunningNode::process)
                        .toList();

                node.kill();
                assertThat(Ports.owner(node.port())).isEmpty();
                node.restart();

                assertThat(others).allMatch(ChildProcess::isAlive);
                for (RunningNode any : nodes) {
                    await().atMost(PATIENCE)
                            .ignoreExceptions()
                            .until(() -> definition.probe().isAnswered(any.port()));
                }
            }
        }
        Path directory = cluster.process().log().getParent().getParent();
        assertThat(cluster.processes()).noneMatch(ChildProcess::isAlive);
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(Ports.owner(node.port())).isEmpty());
        assertThat(directory).doesNotExist();
    }

    @Test
    void natsStoresAStreamThreeTimesAndKeepsItWithoutItsLeader() throws IOException {
        try (RunningBroker cluster = RunningBroker.start(new NatsServer(), 3)) {
            int port = cluster.nodes().get(0).port();
            Probe make = jetStream("STREAM.CREATE", "{\"name\":\"s\",\"subjects\":[\"s\"],\"num_replicas\":3}");
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> make.roundTripNanos(port, Duration.ofSeconds(2)) > 0);

            for (RunningNode node : cluster.nodes()) {
                node.kill();
                int other = cluster.nodes().stream()
                        .filter(one -> one != node)
                        .findAny()
                        .orElseThrow()
                        .port();
                await().atMost(PATIENCE)
                        .ignoreExceptions()
                        .until(() -> jetStream("STREAM.INFO", "").isAnswered(other));
                node.restart();
            }
        }
    }

    /** A request of JetStream's API about the stream s. */
    private static Probe jetStream(String request, String body) {
        return new Probe(
                "CONNECT {\"verbose\":false}\r\nSUB inbox 1\r\nPUB $JS.API.%s.s inbox %d\r\n%s\r\n"
                        .formatted(request, body.length(), body),
                "\"num_replicas\":3");
    }

    @Test
    void kafkaStoresATopicThreeTimesAndChoosesAnotherLeader() throws Exception {
        try (RunningBroker cluster = RunningBroker.start(new KafkaBroker(), 3);
                Admin admin = Admin.create(
                        Map.of("bootstrap.servers", cluster.environment().get("KAFKA_BOOTSTRAP_SERVERS")))) {
            admin.createTopics(List.of(new NewTopic("greetings", Optional.of(1), Optional.empty())))
                    .all()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            TopicPartitionInfo partition = partition(admin);
            assertThat(partition.replicas()).hasSize(3);
            ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "greetings");
            assertThat(admin.describeConfigs(List.of(topic))
                            .all()
                            .get()
                            .get(topic)
                            .get("min.insync.replicas"))
                    .satisfies(least -> assertThat(least.value()).isEqualTo("2"));

            cluster.nodes().get(partition.leader().id() - 1).kill();

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() ->
                            partition(admin).leader().id() != partition.leader().id());
        }
    }

    private static TopicPartitionInfo partition(Admin admin) throws Exception {
        TopicDescription topic = admin.describeTopics(List.of("greetings"))
                .allTopicNames()
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .get("greetings");
        return topic.partitions().get(0);
    }
}
