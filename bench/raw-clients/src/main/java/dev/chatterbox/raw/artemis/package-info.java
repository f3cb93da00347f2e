/** The bare Artemis client against the responder over Artemis. */
@NullMarked
package dev.chatterbox.raw.artemis;

import org.jspecify.annotations.NullMarked;
