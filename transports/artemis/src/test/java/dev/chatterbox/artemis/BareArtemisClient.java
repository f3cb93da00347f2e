package dev.chatterbox.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.responder.Requester;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.api.core.management.ResourceNames;

/** The core client alone, a temporary queue, and properties and bytes written by hand. */
final class BareArtemisClient implements Requester {

    static final SimpleString CORRELATION_ID = SimpleString.of("JMSCorrelationID");
    static final SimpleString REPLY_TO = SimpleString.of("JMSReplyTo");
    private static final byte BYTES = 4;

    private final ServerLocator locator;
    private final ClientSession requests;
    private final ClientProducer producer;
    private final SimpleString replyTo = SimpleString.of("test.replies." + UUID.randomUUID());
    private final Map<Object, CompletableFuture<ClientMessage>> waiting = new ConcurrentHashMap<>();
    private final Queue<ClientMessage> received = new ConcurrentLinkedQueue<>();

    BareArtemisClient(String url, String queue) {
        try {
            locator = ActiveMQClient.createServerLocator(url)
                    // The client reconnects by itself after the broker's death.
                    .setReconnectAttempts(-1)
                    .setRetryInterval(200)
                    .setUseGlobalPools(false)
                    .setBlockOnDurableSend(false);
            ClientSessionFactory connection = locator.createSessionFactory();
            requests = connection.createSession();
            producer = requests.createProducer(queue);
            ClientSession replies = connection.createSession();
            replies.createQueue(QueueConfiguration.of(replyTo)
                    .setRoutingType(RoutingType.ANYCAST)
                    .setDurable(false)
                    .setTemporary(true));
            replies.createConsumer(replyTo).setMessageHandler(this::receive);
            replies.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void receive(ClientMessage reply) {
        try {
            reply.acknowledge();
        } catch (ActiveMQException e) {
            throw new IllegalStateException(e);
        }
        received.add(reply);
        Object id = reply.getObjectProperty(CORRELATION_ID);
        CompletableFuture<ClientMessage> waits = id == null ? null : waiting.get(id);
        if (waits != null) {
            waits.complete(reply);
        }
    }

    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        return send(body, request -> {}).thenApply(BareArtemisClient::message);
    }

    /** @param change makes a correct request wrong */
    CompletableFuture<ClientMessage> send(byte[] body, Consumer<ClientMessage> change) {
        return send(SimpleString.of(UUID.randomUUID().toString()), body, change);
    }

    synchronized CompletableFuture<ClientMessage> send(Object id, byte[] body, Consumer<ClientMessage> change) {
        CompletableFuture<ClientMessage> reply = new CompletableFuture<>();
        waiting.put(id, reply);
        ClientMessage request = requests.createMessage(BYTES, false);
        request.putStringProperty(REPLY_TO, replyTo);
        request.putObjectProperty(CORRELATION_ID, id);
        request.getBodyBuffer().writeBytes(body);
        change.accept(request);
        try {
            producer.send(request);
        } catch (ActiveMQException e) {
            throw new IllegalStateException(e);
        }
        return reply;
    }

    /** Deletes a queue with what is in it, and closes its consumers, as an operator does. */
    void destroyQueue(String name) throws Exception {
        try (ClientRequestor operator = new ClientRequestor(requests, "activemq.management")) {
            ClientMessage order = requests.createMessage(false);
            ManagementHelper.putOperationInvocation(order, ResourceNames.BROKER, "destroyQueue", name, true, true);
            requests.start();
            assertThat(ManagementHelper.hasOperationSucceeded(operator.request(order)))
                    .isTrue();
        }
    }

    SimpleString replyTo() {
        return replyTo;
    }

    /** All replies that came to the client's queue. */
    Queue<ClientMessage> received() {
        return received;
    }

    private static Message message(ClientMessage reply) {
        byte[] body = new byte[reply.getBodyBuffer().readableBytes()];
        reply.getBodyBuffer().readBytes(body);
        return reply.containsProperty("chatterbox_error_code")
                ? new Message(
                        reply.getIntProperty("chatterbox_error_code"),
                        String.valueOf(reply.getStringProperty("chatterbox_error")),
                        body)
                : Message.of(body);
    }

    static Answer answer(ClientMessage reply, int number) {
        return message(reply).answer(number);
    }

    @Override
    public void close() {
        locator.close();
    }
}
