/** A client without a backend: a double in tests, and the baseline of this service's own overhead. */
@NullMarked
package dev.chatterbox.memory;

import org.jspecify.annotations.NullMarked;
