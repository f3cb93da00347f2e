package dev.chatterbox.square.kafka.stock;

import dev.chatterbox.kafka.KafkaQueue;
import dev.chatterbox.queue.ForwardingQueue;
import dev.chatterbox.queue.Spread;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;

/**
 * Consumes as a {@code @KafkaListener} does: by the container that Spring Boot makes for one. Only the offset at which a
 * new group begins is not the default, which is the end: what a responder has not committed would be lost when another
 * one joins.
 */
final class ListenerQueue extends ForwardingQueue {

    private static final Logger log = LoggerFactory.getLogger(ListenerQueue.class);

    private final KafkaQueue tuned;
    private final String queue;
    private final ConcurrentKafkaListenerContainerFactory<byte[], byte[]> listeners;

    /** @param tuned does all but the consuming */
    ListenerQueue(KafkaQueue tuned, String queue, ConcurrentKafkaListenerContainerFactory<byte[], byte[]> listeners) {
        super(tuned);
        this.tuned = tuned;
        this.queue = queue;
        this.listeners = listeners;
    }

    /** Returns when each consumer has its partitions, or none after some seconds. */
    @Override
    public AutoCloseable consume(Spread spread, int group, int consumers, Consumer<byte[]> taken) throws Exception {
        ConcurrentMessageListenerContainer<byte[], byte[]> container =
                listeners.createContainer(spread.topics(queue).toArray(String[]::new));
        container.setConcurrency(consumers);
        CountDownLatch assigned = new CountDownLatch(consumers);
        ContainerProperties properties = container.getContainerProperties();
        properties.setGroupId(tuned.group(spread, group));
        properties.getKafkaConsumerProperties().setProperty("auto.offset.reset", "earliest");
        properties.setMessageListener((MessageListener<byte[], byte[]>) message -> taken.accept(message.value()));
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
                log.warn("Some consumers of {} have no partitions yet", queue);
            }
        } catch (InterruptedException e) {
            container.stop();
            throw e;
        }
        return container::stop;
    }
}
