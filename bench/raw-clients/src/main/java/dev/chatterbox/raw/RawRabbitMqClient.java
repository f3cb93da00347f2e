package dev.chatterbox.raw;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import java.util.concurrent.Executors;

/** Bare amqp-client: a connection for requests and one for replies, which come to an exclusive queue. */
public final class RawRabbitMqClient {

    /** Requests expire at the deadline of a call as those of the row do, but all after the same time. */
    private static final String EXPIRES_MILLIS = "5000";

    private RawRabbitMqClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawRabbitMqClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        String queue = calls.address("queue");
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(System.getenv().getOrDefault("RABBITMQ_URI", "amqp://localhost:5672"));
        factory.setAutomaticRecoveryEnabled(false);
        Channel requests =
                factory.newConnection(Executors.newSingleThreadExecutor()).createChannel();
        Channel replies =
                factory.newConnection(Executors.newSingleThreadExecutor()).createChannel();
        String replyTo = replies.queueDeclare().getQueue();
        replies.basicConsume(
                replyTo,
                true,
                (consumer, reply) -> calls.replied(id(reply.getProperties()), reply.getBody()),
                consumer -> {});
        requests.addReturnListener(returned ->
                calls.unsent(id(returned.getProperties()), new IllegalStateException("there is no queue " + queue)));
        return id -> requests.basicPublish(
                "",
                queue,
                true,
                new AMQP.BasicProperties.Builder()
                        .replyTo(replyTo)
                        .correlationId(Long.toString(id))
                        .expiration(EXPIRES_MILLIS)
                        .build(),
                PipelinedCalls.input(id).toByteArray());
    }

    private static long id(AMQP.BasicProperties properties) {
        return Long.parseLong(properties.getCorrelationId());
    }
}
