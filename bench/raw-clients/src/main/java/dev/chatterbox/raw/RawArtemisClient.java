package dev.chatterbox.raw;

import java.util.UUID;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * The bare Artemis client: messages are not durable, and replies come to a temporary queue. The broker acknowledges the
 * replies by itself when it sends them.
 */
public final class RawArtemisClient {

    private static final int REQUEST_BYTES = 256;

    /** Requests expire as those of the row do, at the deadline of a call. */
    private static final long EXPIRES_MILLIS = 5_000;

    private RawArtemisClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawArtemisClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        String queue = calls.address("queue");
        ServerLocator locator = ActiveMQClient.createServerLocator(
                        System.getenv().getOrDefault("ARTEMIS_URL", "tcp://localhost:5445"))
                .setInitialMessagePacketSize(REQUEST_BYTES)
                // The thread that brings the replies must not wait until the broker grants another 64 KB.
                .setProducerWindowSize(-1);
        ClientSessionFactory connection = locator.createSessionFactory();
        ClientSession replies = connection.createSession(false, true, true, true);
        SimpleString replyTo = SimpleString.of(queue + ".replies." + UUID.randomUUID());
        replies.createQueue(QueueConfiguration.of(replyTo)
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(false)
                .setTemporary(true));
        replies.createConsumer(replyTo).setMessageHandler(reply -> replied(calls, reply));
        replies.start();
        ClientSession requests = connection.createSession();
        if (!requests.queueQuery(SimpleString.of(queue)).isExists()) {
            throw new IllegalStateException("there is no queue " + queue);
        }
        ClientProducer producer = requests.createProducer(queue);
        return id -> {
            ClientMessage request = requests.createMessage(Message.BYTES_TYPE, false);
            request.setExpiration(System.currentTimeMillis() + EXPIRES_MILLIS);
            request.setReplyTo(replyTo);
            request.setCorrelationID(id);
            request.getBodyBuffer().writeBytes(PipelinedCalls.input(id).toByteArray());
            // A session serves one thread at a time, and a slice's first requests come from the channel's thread.
            synchronized (producer) {
                producer.send(request);
            }
        };
    }

    private static void replied(PipelinedCalls calls, ClientMessage reply) {
        ActiveMQBuffer buffer = reply.getBodyBuffer();
        byte[] body = new byte[buffer.readableBytes()];
        buffer.readBytes(body);
        calls.replied((Long) reply.getCorrelationID(), body);
    }
}
