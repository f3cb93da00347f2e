/**
 * The real brokers as child processes, for tests and for machines without Docker.
 *
 * <p>A {@link dev.chatterbox.brokers.Broker} is a definition, of which a stack starts a process for each node.
 * Everything listens on 127.0.0.1 only.
 */
@NullMarked
package dev.chatterbox.brokers;

import org.jspecify.annotations.NullMarked;
