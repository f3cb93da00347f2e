package dev.chatterbox.artemis;

import dev.chatterbox.queue.BlockingPublisher;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/**
 * Sends durable messages, and waits until the broker has stored each. Each message that is on its way has a session to
 * itself.
 */
final class BlockingSend implements BlockingPublisher.Publication {

    private final ArtemisConnection connection;
    private final Queue<Sender> idle = new ConcurrentLinkedQueue<>();

    private record Sender(ClientSession session, ClientProducer producer) {}

    BlockingSend(String url) throws ActiveMQException {
        connection = new ArtemisConnection(url, options -> options.setBlockOnDurableSend(true));
    }

    @Override
    public boolean publish(String topic, byte[] body) throws ActiveMQException {
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
    public void close() {
        connection.close();
    }
}
