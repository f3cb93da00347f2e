/** Runs of the exchange {@code queue}: publishes one-way messages, and finds out what became of them. */
@NullMarked
package dev.chatterbox.aggregator.queue;

import org.jspecify.annotations.NullMarked;
