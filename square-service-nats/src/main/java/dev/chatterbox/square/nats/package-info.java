/** The square calculator over NATS request-reply. */
@NullMarked
package dev.chatterbox.square.nats;

import org.jspecify.annotations.NullMarked;
