package dev.chatterbox.square.kafka;

import dev.chatterbox.square.common.SquareResponder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.stereotype.Component;

/**
 * Answers what is sent to the topic {@code square.requests}, as a member of the group {@code square-service}. Makes the
 * topic where it is missing, and waits for the broker for as long as it takes.
 */
@Component
class KafkaResponder implements SmartLifecycle, HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(KafkaResponder.class);

    /** As many responders can share the work as there are partitions; more of them would split batches further. */
    private static final NewTopic REQUESTS = new NewTopic("square.requests", Optional.of(4), Optional.empty())
            // At 200,000 requests a second the log grows by 20 MB a second: a bound in bytes keeps the disk free.
            .configs(Map.of(
                    TopicConfig.RETENTION_MS_CONFIG, "600000",
                    TopicConfig.RETENTION_BYTES_CONFIG, "268435456",
                    TopicConfig.SEGMENT_BYTES_CONFIG, "67108864"));

    private final String servers;
    private final Admin admin;
    private final Producer<byte[], byte[]> producer;
    private final ConcurrentMessageListenerContainer<byte[], byte[]> container;
    private volatile @Nullable Thread starter;
    private volatile boolean joined;

    KafkaResponder(
            @Value("${spring.kafka.bootstrap-servers}") String servers,
            KafkaAdmin kafkaAdmin,
            ProducerFactory<byte[], byte[]> producers,
            ConcurrentKafkaListenerContainerFactory<byte[], byte[]> containers,
            SquareResponder responder) {
        this.servers = servers;
        admin = Admin.create(kafkaAdmin.getConfigurationProperties());
        producer = producers.createProducer();
        container = containers.createContainer(REQUESTS.name());
        container.getContainerProperties().setSyncCommits(false);
        container.getContainerProperties().setConsumerRebalanceListener(new ConsumerAwareRebalanceListener() {
            @Override
            public void onPartitionsAssigned(java.util.Collection<TopicPartition> partitions) {
                joined = true;
                log.info("Answers {}", partitions);
            }
        });
        RequestHandler handler = new RequestHandler(responder, new ReplySender(admin, producer, responder));
        container.getContainerProperties().setMessageListener(new BatchMessageListener<byte[], byte[]>() {
            @Override
            public void onMessage(List<ConsumerRecord<byte[], byte[]>> requests) {
                requests.forEach(handler::answer);
            }
        });
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::makeTopicAndListen, "kafka-start");
        thread.setDaemon(true);
        starter = thread;
        thread.start();
    }

    private void makeTopicAndListen() {
        try {
            while (!topicExists()) {
                TimeUnit.SECONDS.sleep(1);
            }
            container.start();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean topicExists() throws InterruptedException {
        try {
            admin.createTopics(List.of(REQUESTS)).all().get(5, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return true;
            }
            log.warn("No Kafka broker answers at {} yet ({}); tries again each second", servers, e.toString());
            return false;
        }
    }

    /** Asks the broker, for at most a second; a member without a partition, one of more than four, is healthy too. */
    @Override
    public Health health() {
        Health.Builder health = Health.up();
        try {
            admin.describeCluster().clusterId().get(1, TimeUnit.SECONDS);
            if (!joined) {
                health.down().withDetail("reason", "has not joined the group of the responders yet");
            }
        } catch (ExecutionException | TimeoutException e) {
            health.down().withDetail("reason", "no broker answers at " + servers + "; it keeps trying");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            health.down(e);
        }
        return health.withDetail("servers", servers).build();
    }

    @Override
    public void stop() {
        Thread thread = starter;
        if (thread != null) {
            thread.interrupt();
            starter = null;
        }
        container.stop();
        producer.close(Duration.ofSeconds(1));
        admin.close(Duration.ofSeconds(1));
    }

    @Override
    public boolean isRunning() {
        return starter != null;
    }
}
