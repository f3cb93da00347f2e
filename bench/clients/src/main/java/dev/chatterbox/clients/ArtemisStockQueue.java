package dev.chatterbox.clients;

import dev.chatterbox.artemis.ArtemisQueue;
import dev.chatterbox.queue.BlockingPublisher;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSettings;
import org.apache.activemq.artemis.api.jms.ActiveMQJMSClient;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;

/** Publishes by {@code JmsTemplate.convertAndSend()}, which waits until the broker has stored the durable message. */
public final class ArtemisStockQueue extends ArtemisQueue {

    private final CachingConnectionFactory connections;
    private final BlockingPublisher publisher;

    public ArtemisStockQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
        connections = new CachingConnectionFactory(new ActiveMQConnectionFactory(settings.client("url")));
        JmsTemplate template = new JmsTemplate(connections);
        publisher = new BlockingPublisher(
                (topic, message) -> {
                    // A message to a JMS queue does not come to the queues of several groups.
                    template.convertAndSend(
                            isMulticast() ? ActiveMQJMSClient.createTopic(topic) : ActiveMQJMSClient.createQueue(topic),
                            message);
                    return true;
                },
                listener);
    }

    @Override
    public void publish(int number, byte[] message) {
        publisher.publish(number, topic(number), message);
    }

    @Override
    public void close() {
        publisher.close();
        connections.destroy();
        super.close();
    }
}
