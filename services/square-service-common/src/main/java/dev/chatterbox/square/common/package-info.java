/** What every square service does: it answers, counts, and fails on demand. */
@NullMarked
package dev.chatterbox.square.common;

import org.jspecify.annotations.NullMarked;
