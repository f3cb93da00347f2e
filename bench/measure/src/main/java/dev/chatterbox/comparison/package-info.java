/**
 * The comparison. It orders slices of work from a generator, block by block, reads the clocks and counts of every
 * process before and after them, and judges them. It knows a running system as a
 * {@link dev.chatterbox.stack.Target}, and does not know how it was started.
 */
@NullMarked
package dev.chatterbox.comparison;

import org.jspecify.annotations.NullMarked;
