/** The responder over Kafka, as the documentation of spring-kafka shows it first. */
@NullMarked
package dev.chatterbox.kafka.stock;

import org.jspecify.annotations.NullMarked;
