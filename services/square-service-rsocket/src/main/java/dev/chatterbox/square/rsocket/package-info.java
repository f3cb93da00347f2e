/** The square calculator over RSocket. */
@NullMarked
package dev.chatterbox.square.rsocket;

import org.jspecify.annotations.NullMarked;
