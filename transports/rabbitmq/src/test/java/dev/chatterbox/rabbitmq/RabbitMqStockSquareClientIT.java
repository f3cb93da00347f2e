package dev.chatterbox.rabbitmq;

import static java.util.Objects.requireNonNull;
import static org.springframework.test.util.ReflectionTestUtils.getField;

import dev.chatterbox.client.SquareClient;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

@Tag("long")
class RabbitMqStockSquareClientIT extends RabbitMqContract {

    @Override
    protected String variant() {
        return "rabbitmq-stock";
    }

    @Override
    protected int holds(SquareClient client) {
        Object template = requireNonNull(getField(client, "template"));
        return ((Map<?, ?>) requireNonNull(getField(template, "pending"))).size();
    }

    @Override
    protected boolean connected(SquareClient client) {
        try {
            return ((ConnectionFactory) requireNonNull(getField(client, "connections")))
                    .createConnection()
                    .isOpen();
        } catch (AmqpException e) {
            return false;
        }
    }

    @Override
    protected boolean countsStrayReplies() {
        return false;
    }
}
