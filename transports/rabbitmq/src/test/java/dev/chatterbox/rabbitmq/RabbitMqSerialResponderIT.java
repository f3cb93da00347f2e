package dev.chatterbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.Wire;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The responder whose replies await their confirms, as the variant rabbitmq-serial starts it. */
@Tag("long")
class RabbitMqSerialResponderIT extends RabbitMqResponderKit {

    RabbitMqSerialResponderIT() {
        super(Map.of("RABBITMQ_CONFIRM_EACH", "true", "RABBITMQ_ACKNOWLEDGE", "1", "RABBITMQ_PREFETCH", "100"));
    }

    /** A request is acknowledged only after the server has confirmed its reply. */
    @Test
    void takesARequestAgainWhoseReplyTheServerDidNotStore() throws Exception {
        int undeliverable = service.squares("undeliverable");
        try (Channel channel = client().connection().createChannel()) {
            Map<String, Object> roomForOne = Map.of("x-max-length", 1, "x-overflow", "reject-publish");
            String replies =
                    channel.queueDeclare("", false, true, true, roomForOne).getQueue();
            channel.basicPublish("", replies, null, new byte[0]);
            client().publish("1", replies, Wire.input(3));
            await().atMost(PATIENCE).until(() -> service.squares("undeliverable") > undeliverable);

            channel.queuePurge(replies);

            await().atMost(PATIENCE).untilAsserted(() -> {
                GetResponse reply = channel.basicGet(replies, true);
                assertThat(reply).isNotNull();
                assertThat(reply.getProps().getCorrelationId()).isEqualTo("1");
                assertThat(Wire.output(reply.getBody(), 3)).isEqualTo(Requester.Answer.square(9));
            });
        }
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        awaitThatAllIsAcknowledged();
    }
}
