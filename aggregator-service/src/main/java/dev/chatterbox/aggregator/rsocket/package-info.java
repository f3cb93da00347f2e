/** The clients of square-service-rsocket. */
@NullMarked
package dev.chatterbox.aggregator.rsocket;

import org.jspecify.annotations.NullMarked;
