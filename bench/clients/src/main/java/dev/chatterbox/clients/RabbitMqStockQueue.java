package dev.chatterbox.clients;

import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueListener.Answer;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.rabbitmq.RabbitMqQueue;
import dev.chatterbox.rabbitmq.RabbitMqServer;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Publishes as spring-amqp's documentation of publisher confirms shows it: persistent messages, each with
 * {@code CorrelationData} whose future the confirm completes, on a thread of spring-amqp's pool.
 */
public final class RabbitMqStockQueue extends RabbitMqQueue {

    private final CachingConnectionFactory connections;
    private final RabbitTemplate template;

    public RabbitMqStockQueue(QueueSettings settings, QueueListener listener) throws NoSuchAlgorithmException {
        super(settings, listener);
        connections = new CachingConnectionFactory(URI.create(settings.client("uri")));
        RabbitMqServer.verify(connections.getRabbitConnectionFactory());
        connections.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.CORRELATED);
        template = new RabbitTemplate(connections);
    }

    @Override
    public void publish(int number, byte[] message) {
        CorrelationData correlation = new CorrelationData(Integer.toString(number));
        correlation
                .getFuture()
                .whenComplete((confirm, error) -> listener.answered(
                        number, error != null ? Answer.UNKNOWN : confirm.ack() ? Answer.ACKNOWLEDGED : Answer.REFUSED));
        template.send(exchange(), topic(number), new Message(message, new MessageProperties()), correlation);
    }

    @Override
    public void close() {
        connections.destroy();
        super.close();
    }
}
