package dev.chatterbox.aggregator.rabbitmq;

import dev.chatterbox.rabbitmq.RabbitMqServer;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A row's settings of its client.
 *
 * @param uri {@code amqp://HOST:PORT}, also with user, password and virtual host
 * @param replies whether replies come to a queue of the client's own, or past queues (direct reply-to)
 * @param lean whether requests have no deadline in the server, and are lost where there is no queue to take them
 */
record RabbitMqSettings(
        @DefaultValue("amqp://localhost:5672") String uri,
        @DefaultValue("queue") ReplyPath replies,
        boolean lean) {

    enum ReplyPath {
        QUEUE,
        DIRECT
    }

    /** @throws IllegalArgumentException the URI is none */
    RabbitMqServer server() {
        return new RabbitMqServer("client.uri", uri);
    }
}
