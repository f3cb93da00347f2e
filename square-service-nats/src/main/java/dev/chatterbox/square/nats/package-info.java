/** The square calculator over NATS: request-reply over core NATS, or requests that JetStream stores. */
@NullMarked
package dev.chatterbox.square.nats;

import org.jspecify.annotations.NullMarked;
