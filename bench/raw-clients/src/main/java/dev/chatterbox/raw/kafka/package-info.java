/** Bare kafka-clients against the responder over Kafka. */
@NullMarked
package dev.chatterbox.raw.kafka;

import org.jspecify.annotations.NullMarked;
