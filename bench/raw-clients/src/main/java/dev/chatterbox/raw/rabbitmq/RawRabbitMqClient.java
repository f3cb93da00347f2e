package dev.chatterbox.raw.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.raw.PipelinedCalls;
import java.util.concurrent.Executors;

/** Bare amqp-client: one connection, a channel for requests and one for replies, which come to an exclusive queue. */
public final class RawRabbitMqClient {

    private RawRabbitMqClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawRabbitMqClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        String queue = calls.address("queue");
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(System.getenv().getOrDefault("RABBITMQ_URI", "amqp://localhost:5672"));
        factory.setAutomaticRecoveryEnabled(false);
        Connection connection = factory.newConnection(Executors.newSingleThreadExecutor());
        Channel requests = connection.createChannel();
        Channel replies = connection.createChannel();
        String replyTo = replies.queueDeclare().getQueue();
        replies.basicConsume(replyTo, true, (consumer, reply) -> replied(calls, reply), consumer -> {});
        requests.addReturnListener(returned -> calls.unsent(new IllegalStateException("there is no queue " + queue)));
        AMQP.BasicProperties properties =
                new AMQP.BasicProperties.Builder().replyTo(replyTo).build();
        return number -> requests.basicPublish(
                "",
                queue,
                true,
                properties,
                Input.newBuilder().setNumber(number).build().toByteArray());
    }

    private static void replied(PipelinedCalls calls, Delivery reply) {
        try {
            Output output = Output.parseFrom(reply.getBody());
            calls.replied(output.getNumber(), output.getResult());
        } catch (Exception e) {
            calls.failed();
        }
    }
}
