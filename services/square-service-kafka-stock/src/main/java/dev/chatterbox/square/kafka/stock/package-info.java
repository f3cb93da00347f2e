/** The square calculator over Kafka, as the documentation of spring-kafka shows it first. */
@NullMarked
package dev.chatterbox.square.kafka.stock;

import org.jspecify.annotations.NullMarked;
