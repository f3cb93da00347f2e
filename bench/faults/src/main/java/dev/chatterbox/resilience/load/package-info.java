/** The load under which something breaks, every answer of which is checked. */
@NullMarked
package dev.chatterbox.resilience.load;

import org.jspecify.annotations.NullMarked;
