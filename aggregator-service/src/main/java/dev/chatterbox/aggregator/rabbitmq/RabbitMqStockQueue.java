package dev.chatterbox.aggregator.rabbitmq;

import dev.chatterbox.queue.ForwardingQueue;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.rabbitmq.RabbitMqQueue;
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

    private final RabbitMqQueue tuned;
    private final QueueListener listener;
    private final CachingConnectionFactory connections;
    private final RabbitTemplate template;

    /** @param tuned does all but the publishing */
    RabbitMqStockQueue(RabbitMqQueue tuned, String uri, QueueListener listener) {
        super(tuned);
        this.tuned = tuned;
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
        template.send(tuned.exchange(), topic(number), new Message(message, new MessageProperties()), correlation);
    }

    @Override
    public void close() {
        connections.destroy();
        super.close();
    }
}
