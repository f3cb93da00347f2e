/**
 * The exchange {@code queue}: one-way messages, which one side publishes and the other side consumes. Each broker has one
 * class for both sides, a {@link dev.chatterbox.queue.QueueConnection}; what a run is, and when it is over, is the same
 * over every broker.
 */
@NullMarked
package dev.chatterbox.queue;

import org.jspecify.annotations.NullMarked;
