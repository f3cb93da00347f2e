package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.kafka.KafkaQueue;
import dev.chatterbox.queue.ForwardingQueue;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;

/** Publishes by {@code KafkaTemplate.send()} with the defaults of library and broker. */
final class KafkaStockQueue extends ForwardingQueue {

    private final QueueListener listener;
    private final DefaultKafkaProducerFactory<byte[], byte[]> producers;
    private final KafkaTemplate<byte[], byte[]> template;

    /**
     * @param other does all but the publishing
     * @param options of the producer
     */
    KafkaStockQueue(QueueConnection other, Map<String, Object> options, QueueListener listener) {
        super(other);
        this.listener = listener;
        producers = new DefaultKafkaProducerFactory<>(options, new ByteArraySerializer(), new ByteArraySerializer());
        template = new KafkaTemplate<>(producers);
    }

    /** Blocks while the broker does not tell its topics, by default for a minute at most. */
    @Override
    public void publish(int number, byte[] message) {
        template.send(topic(number), message)
                .whenComplete(
                        (sent, error) -> KafkaQueue.sent(number, error == null ? null : error.getCause(), listener));
    }

    @Override
    public void close() {
        producers.setPhysicalCloseTimeout(1);
        producers.destroy();
        super.close();
    }
}
