package dev.chatterbox.rabbitmq;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings that a variant gives to this client.
 *
 * @param uri {@code amqp://HOST:PORT}; it may have a user, a password and a virtual host
 * @param replies whether replies come to a queue of the client's own, or without a queue (direct reply-to)
 * @param durable whether requests are persistent and confirmed, and replies come to a durable queue, where each is
 *     acknowledged
 * @param lean whether requests have no deadline in the server, and are lost if there is no queue to take them
 */
record RabbitMqSettings(
        @DefaultValue("amqp://localhost:5672") String uri,
        @DefaultValue("queue") ReplyPath replies,
        boolean durable,
        boolean lean) {

    enum ReplyPath {
        QUEUE,
        DIRECT
    }

    /** @throws IllegalArgumentException the URI is wrong */
    RabbitMqServer server() {
        return new RabbitMqServer("client.uri", uri);
    }
}
