/** The square calculator over Kafka with correlation ids. */
@NullMarked
package dev.chatterbox.square.kafka;

import org.jspecify.annotations.NullMarked;
