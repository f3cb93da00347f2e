/**
 * Breaks a stack of its own while verified load runs on it, and judges how the requests ended. It knows no commands.
 */
@NullMarked
package dev.chatterbox.resilience;

import org.jspecify.annotations.NullMarked;
