package dev.chatterbox.aggregator.rabbitmq;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a row tells this client.
 *
 * @param uri {@code amqp://HOST:PORT}, also with user, password and virtual host
 * @param replies whether replies come to a queue of the client's own, or past queues (direct reply-to)
 */
record RabbitMqSettings(
        @DefaultValue("amqp://localhost:5672") String uri,
        @DefaultValue("queue") Replies replies) {

    enum Replies {
        QUEUE,
        DIRECT
    }
}
