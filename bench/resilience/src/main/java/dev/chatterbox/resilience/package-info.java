/**
 * Breaks a stack of its own while verified load runs on it, and judges what became of the requests. Knows no command.
 */
@NullMarked
package dev.chatterbox.resilience;

import org.jspecify.annotations.NullMarked;
