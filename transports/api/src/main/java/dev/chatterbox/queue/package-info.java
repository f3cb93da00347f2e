/**
 * One-way messages, which one program produces and another one consumes. Each broker has one class for both programs, a
 * {@link dev.chatterbox.queue.QueueConnection}.
 */
@NullMarked
package dev.chatterbox.queue;

import org.jspecify.annotations.NullMarked;
