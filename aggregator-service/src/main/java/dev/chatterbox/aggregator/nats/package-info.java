/** The client of square-service-nats. */
@NullMarked
package dev.chatterbox.aggregator.nats;

import org.jspecify.annotations.NullMarked;
