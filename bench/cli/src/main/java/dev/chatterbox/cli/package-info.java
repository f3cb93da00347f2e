/** The command-line program behind {@code ./chatterbox}. */
@NullMarked
package dev.chatterbox.cli;

import org.jspecify.annotations.NullMarked;
