/** Bare jnats against the responder over NATS. */
@NullMarked
package dev.chatterbox.raw.nats;

import org.jspecify.annotations.NullMarked;
