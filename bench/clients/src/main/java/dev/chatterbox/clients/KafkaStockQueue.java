package dev.chatterbox.clients;

import dev.chatterbox.kafka.KafkaQueue;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.queue.Spread;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;

/**
 * Publishes by {@code KafkaTemplate.send()}, and consumes as a {@code @KafkaListener} does, by the container that is
 * made for one; both with the defaults of library and broker. Only the offset at which a new group begins is not the
 * default, which is the end: what a consumer has not committed would be lost when another one joins.
 */
public final class KafkaStockQueue extends KafkaQueue {

    private static final Logger log = LoggerFactory.getLogger(KafkaStockQueue.class);

    private final DefaultKafkaProducerFactory<byte[], byte[]> producers;
    private final KafkaTemplate<byte[], byte[]> template;
    private final ConcurrentKafkaListenerContainerFactory<byte[], byte[]> listeners =
            new ConcurrentKafkaListenerContainerFactory<>();

    public KafkaStockQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
        Map<String, Object> servers = servers(settings);
        producers = new DefaultKafkaProducerFactory<>(servers, new ByteArraySerializer(), new ByteArraySerializer());
        template = new KafkaTemplate<>(producers);
        listeners.setConsumerFactory(
                new DefaultKafkaConsumerFactory<>(servers, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
    }

    /** The template has its own producer. */
    @Override
    protected void openProducers(int number) {}

    /** Blocks while the broker does not tell its topics, by default for a minute at most. */
    @Override
    public void publish(int number, byte[] message) {
        template.send(topic(number), message)
                .whenComplete((sent, error) -> sent(number, error == null ? null : error.getCause(), listener));
    }

    /** Returns when each consumer has its partitions, or none after some seconds. */
    @Override
    public AutoCloseable consume(Spread spread, int group, int consumers, Consumer<byte[]> consumer) throws Exception {
        ConcurrentMessageListenerContainer<byte[], byte[]> container =
                listeners.createContainer(topics(spread).toArray(String[]::new));
        container.setConcurrency(consumers);
        CountDownLatch assigned = new CountDownLatch(consumers);
        ContainerProperties properties = container.getContainerProperties();
        properties.setGroupId(group(spread, group));
        properties.getKafkaConsumerProperties().setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.setMessageListener((MessageListener<byte[], byte[]>) message -> consumer.accept(message.value()));
        properties.setConsumerRebalanceListener(new ConsumerAwareRebalanceListener() {
            @Override
            public void onPartitionsAssigned(
                    org.apache.kafka.clients.consumer.Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
                assigned.countDown();
            }
        });
        container.start();
        try {
            if (!assigned.await(ANSWER_MILLIS, TimeUnit.MILLISECONDS)) {
                log.warn(
                        "Some consumers of {} have no partitions yet",
                        topics(spread).get(0));
            }
        } catch (InterruptedException e) {
            container.stop();
            throw e;
        }
        return container::stop;
    }

    @Override
    public void close() {
        producers.setPhysicalCloseTimeout(1);
        producers.destroy();
        super.close();
    }
}
