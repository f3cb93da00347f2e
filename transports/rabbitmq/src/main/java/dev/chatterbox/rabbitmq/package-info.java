/** What requester, responder and bare client over RabbitMQ share: the server's address, connecting, and channels. */
@NullMarked
package dev.chatterbox.rabbitmq;

import org.jspecify.annotations.NullMarked;
