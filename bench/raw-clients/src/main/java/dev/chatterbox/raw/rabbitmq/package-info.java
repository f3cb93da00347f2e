/** Bare amqp-client against the responder over RabbitMQ. */
@NullMarked
package dev.chatterbox.raw.rabbitmq;

import org.jspecify.annotations.NullMarked;
