/** The client of square-service-kafka. */
@NullMarked
package dev.chatterbox.aggregator.kafka;

import org.jspecify.annotations.NullMarked;
