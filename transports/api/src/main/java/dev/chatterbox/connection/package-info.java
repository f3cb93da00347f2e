/** Keeps one connection to a broker open, whatever happens to the broker. */
@NullMarked
package dev.chatterbox.connection;

import org.jspecify.annotations.NullMarked;
