/** The square service over RabbitMQ. */
@NullMarked
package dev.chatterbox.square.rabbitmq;

import org.jspecify.annotations.NullMarked;
