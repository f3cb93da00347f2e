package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.chatterbox.responder.Requester;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** amqp-client alone with its own recovery, and bytes written by hand. */
final class BareRabbitMqClient implements Requester {

    private static final int RECONNECT_MILLIS = 500;

    private final Connection connection;
    private final Channel channel;
    private final String queue;
    private final String replies = "kit." + UUID.randomUUID();
    private final Map<String, CompletableFuture<Delivery>> waiting = new ConcurrentHashMap<>();

    BareRabbitMqClient(String uri, String queue) {
        this.queue = queue;
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(uri);
            factory.setNetworkRecoveryInterval(RECONNECT_MILLIS);
            connection = factory.newConnection("kit");
            channel = connection.createChannel();
            channel.queueDeclare(replies, false, true, true, null);
            channel.basicConsume(replies, true, this::replied, cancelled -> {});
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void replied(String consumer, Delivery reply) {
        CompletableFuture<Delivery> future =
                waiting.remove(String.valueOf(reply.getProperties().getCorrelationId()));
        if (future != null) {
            future.complete(reply);
        }
    }

    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        String correlationId = UUID.randomUUID().toString();
        CompletableFuture<Delivery> future = new CompletableFuture<>();
        waiting.put(correlationId, future);
        try {
            publish(correlationId, replies, body);
        } catch (UncheckedIOException | AlreadyClosedException e) {
            future.completeExceptionally(e);
        }
        return future.thenApply(BareRabbitMqClient::message);
    }

    void publish(String correlationId, String replyTo, byte[] body) {
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .correlationId(correlationId)
                .replyTo(replyTo)
                .build();
        try {
            channel.basicPublish("", queue, properties, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Message message(Delivery reply) {
        Map<String, Object> headers = reply.getProperties().getHeaders();
        return headers == null
                ? Message.of(reply.getBody())
                : new Message(
                        Integer.parseInt(headers.get("chatterbox_error_code").toString()),
                        headers.get("chatterbox_error").toString(),
                        reply.getBody());
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void close() {
        connection.abort(1000);
    }
}
