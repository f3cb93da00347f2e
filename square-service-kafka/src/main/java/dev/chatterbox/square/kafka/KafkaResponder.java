package dev.chatterbox.square.kafka;

import dev.chatterbox.square.common.SquareResponder;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.stereotype.Component;

/**
 * Answers what is sent to the topic of requests, and batches that are sent to that topic and {@code .batch}, as a member
 * of a group. Makes both topics where they are missing, also later, and waits for the broker for as long as it takes.
 */
@Component
class KafkaResponder implements SmartLifecycle, HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(KafkaResponder.class);

    /** As many responders can share the work as there are partitions; more of them would split batches further. */
    private static final int PARTITIONS = 4;

    /** At 200,000 requests a second the log grows by 20 MB a second: a bound in bytes keeps the disk free. */
    private static final Map<String, String> RETENTION = Map.of(
            TopicConfig.RETENTION_MS_CONFIG, "600000",
            TopicConfig.RETENTION_BYTES_CONFIG, "268435456",
            TopicConfig.SEGMENT_BYTES_CONFIG, "67108864");

    private final String servers;
    private final String topic;
    private final String batchTopic;
    private final KafkaAdmin kafkaAdmin;
    private final ProducerFactory<byte[], byte[]> producers;
    private final ConcurrentKafkaListenerContainerFactory<byte[], byte[]> containers;
    private final SquareResponder responder;
    private volatile @Nullable Thread starter;
    private volatile @Nullable Admin admin;
    private volatile @Nullable ConcurrentMessageListenerContainer<byte[], byte[]> container;
    private volatile boolean joined;

    KafkaResponder(
            @Value("${spring.kafka.bootstrap-servers}") String servers,
            @Value("${kafka.request-topic}") String topic,
            KafkaAdmin kafkaAdmin,
            ProducerFactory<byte[], byte[]> producers,
            ConcurrentKafkaListenerContainerFactory<byte[], byte[]> containers,
            SquareResponder responder) {
        this.servers = servers;
        this.topic = topic;
        batchTopic = topic + ".batch";
        this.kafkaAdmin = kafkaAdmin;
        this.producers = producers;
        this.containers = containers;
        this.responder = responder;
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::watch, "kafka-watch");
        thread.setDaemon(true);
        starter = thread;
        thread.start();
    }

    /** Listens as soon as the broker is there, and sees that it has the topics: it may come back without its data. */
    private void watch() {
        boolean told = false;
        try {
            while (true) {
                try {
                    Admin opened = openAdmin();
                    makeTopics(opened);
                    if (container == null) {
                        listen(opened);
                    }
                    told = false;
                } catch (KafkaException | ExecutionException | TimeoutException e) {
                    // A KafkaException: the broker's name, not only the broker, may be unknown yet.
                    if (!told) {
                        log.warn("Not connected, keeps trying: {}", away(e));
                        told = true;
                    }
                }
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (InterruptedException stopped) {
            // Replies to what was fetched may still need it.
            if (container == null) {
                closeAdmin();
            }
        }
    }

    private void makeTopics(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            admin.describeTopics(List.of(topic, batchTopic)).allTopicNames().get(5, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                throw e;
            }
            makeTopic(admin, topic);
            makeTopic(admin, batchTopic);
        }
    }

    private Admin openAdmin() {
        Admin opened = admin;
        if (opened == null) {
            opened = Admin.create(kafkaAdmin.getConfigurationProperties());
            admin = opened;
        }
        return opened;
    }

    private static void makeTopic(Admin admin, String name)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            NewTopic requests = new NewTopic(name, Optional.of(PARTITIONS), Optional.empty()).configs(RETENTION);
            admin.createTopics(List.of(requests)).all().get(5, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    private void listen(Admin admin) {
        ReplySender replies = new ReplySender(admin, producers.createProducer(), responder);
        RequestHandler handler = new RequestHandler(batchTopic, responder, replies);
        ConcurrentMessageListenerContainer<byte[], byte[]> listener = containers.createContainer(topic, batchTopic);
        listener.setBeanName("square-requests");
        ContainerProperties properties = listener.getContainerProperties();
        properties.setMessageListener(
                (BatchMessageListener<byte[], byte[]>) requests -> requests.forEach(handler::answer));
        properties.setConsumerRebalanceListener(new Membership());
        properties.setSyncCommits(false);
        properties.setCommitCallback((offsets, error) -> {
            if (error != null) {
                log.debug("The next commit makes up for it", error);
            }
        });
        container = listener;
        listener.start();
    }

    private final class Membership implements ConsumerAwareRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            joined = true;
            log.info("Answers {}", partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            joined = false;
            log.info("No longer answers {}: the group went on without this responder", partitions);
        }
    }

    /** Asks the broker, for at most a second; a member without a partition, one of more than four, is healthy too. */
    @Override
    public Health health() {
        Health.Builder health = Health.up();
        Admin opened = admin;
        try {
            if (opened == null || !joined) {
                health.down().withDetail("reason", "has not joined the group of the responders");
            }
            if (opened != null) {
                opened.describeCluster().clusterId().get(1, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            health.down().withDetail("reason", away(e) + "; it keeps trying");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            health.down(e);
        }
        return health.withDetail("servers", servers).build();
    }

    /** What other causes say may be a part of a password. */
    private String away(Exception error) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(error);
        String because =
                root instanceof IOException || root instanceof GeneralSecurityException ? ": " + root.getMessage() : "";
        return error.getCause() instanceof AuthenticationException refusal
                ? "the broker at %s refuses this responder: %s%s".formatted(servers, refusal.getMessage(), because)
                : "no broker answers at " + servers + because;
    }

    /**
     * Answers what it has fetched, leaves the group, closes. The producer's factory flushes its replies and closes it.
     */
    @Override
    public void stop() {
        Thread thread = starter;
        starter = null;
        try {
            if (thread != null) {
                thread.interrupt();
                // It ends at once, unless it looks a name up.
                thread.join(1_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ConcurrentMessageListenerContainer<byte[], byte[]> listener = container;
        if (listener != null) {
            listener.stop();
        }
        container = null;
        closeAdmin();
        joined = false;
    }

    private void closeAdmin() {
        Admin opened = admin;
        admin = null;
        if (opened != null) {
            opened.close(Duration.ZERO);
        }
    }

    @Override
    public boolean isRunning() {
        return starter != null;
    }
}
