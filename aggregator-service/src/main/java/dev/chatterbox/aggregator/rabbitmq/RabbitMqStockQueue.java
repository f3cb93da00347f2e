package dev.chatterbox.aggregator.rabbitmq;

import dev.chatterbox.queue.ForwardingQueue;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import java.net.URI;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Publishes as spring-amqp's documentation of publisher confirms shows it: persistent messages, each with
 * {@code CorrelationData} whose future the confirm completes, on a thread of spring-amqp's pool.
 */
final class RabbitMqStockQueue extends ForwardingQueue {

    private final String queue;
    private final QueueListener listener;
    private final CachingConnectionFactory connections;
    private final RabbitTemplate template;

    /**
     * @param other does all but the publishing
     * @param queue to which it publishes
     */
    RabbitMqStockQueue(QueueConnection other, String uri, String queue, QueueListener listener) {
        super(other);
        this.queue = queue;
        this.listener = listener;
        connections = new CachingConnectionFactory(URI.create(uri));
        connections.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.CORRELATED);
        template = new RabbitTemplate(connections);
    }

    @Override
    public void publish(int number, byte[] message) {
        CorrelationData correlation = new CorrelationData(Integer.toString(number));
        correlation.getFuture().whenComplete((confirm, error) -> {
            if (error != null) {
                listener.unknown(number);
            } else if (confirm.ack()) {
                listener.acknowledged(number);
            } else {
                listener.refused(number);
            }
        });
        template.send("", queue, new Message(message, new MessageProperties()), correlation);
    }

    @Override
    public void close() {
        connections.destroy();
        super.close();
    }
}
