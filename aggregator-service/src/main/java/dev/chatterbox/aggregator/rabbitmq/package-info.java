/** Calls over RabbitMQ. */
@NullMarked
package dev.chatterbox.aggregator.rabbitmq;

import org.jspecify.annotations.NullMarked;
