/** The square calculator over Artemis. */
@NullMarked
package dev.chatterbox.square.artemis;

import org.jspecify.annotations.NullMarked;
