/** The clients of square-service-nats: over core NATS, and with requests that JetStream stores. */
@NullMarked
package dev.chatterbox.aggregator.nats;

import org.jspecify.annotations.NullMarked;
