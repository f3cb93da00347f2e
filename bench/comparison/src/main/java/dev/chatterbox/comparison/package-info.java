/**
 * The comparison: has a generator carry out slices of work, by blocks, reads the clocks and counts of every process
 * around them, and judges them. It knows a running system as a {@link dev.chatterbox.comparison.target.Target}, not how it was
 * started.
 */
@NullMarked
package dev.chatterbox.comparison;

import org.jspecify.annotations.NullMarked;
