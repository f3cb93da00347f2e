/** Bare rsocket-java against the responder over RSocket. */
@NullMarked
package dev.chatterbox.raw.rsocket;

import org.jspecify.annotations.NullMarked;
