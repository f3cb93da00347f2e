package dev.chatterbox.artemis;

import dev.chatterbox.queue.BlockingPublisher;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSettings;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/**
 * Sends durable messages, and waits until the broker has stored each, as {@code send()} does by default. Each message
 * that is on its way has a session to itself.
 */
public final class ArtemisBlockingQueue extends ArtemisQueue {

    @SuppressWarnings("NullAway.Init")
    private ArtemisConnection connection;

    private final BlockingPublisher publisher;
    private final Queue<Sender> idle = new ConcurrentLinkedQueue<>();

    private record Sender(ClientSession session, ClientProducer producer) {}

    public ArtemisBlockingQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
        publisher = new BlockingPublisher(this::send, listener);
    }

    @Override
    public void open() throws ActiveMQException {
        super.open();
        connection = connect(options -> options.setBlockOnDurableSend(true));
        atClose(publisher::close);
    }

    private boolean send(String topic, byte[] body) throws ActiveMQException {
        Sender sender = idle.poll();
        if (sender == null) {
            ClientSession session = connection.session();
            sender = new Sender(session, session.createProducer());
        }
        ClientMessage message = sender.session.createMessage(Message.BYTES_TYPE, true);
        message.getBodyBuffer().writeBytes(body);
        sender.producer.send(topic, message);
        idle.add(sender);
        return true;
    }

    @Override
    public void publish(int number, byte[] body) {
        publisher.publish(number, topic(number), body);
    }
}
