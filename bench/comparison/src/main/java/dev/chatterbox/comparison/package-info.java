/**
 * The comparison: plans the rounds, lets the generator drive them, takes the figures of every process around each
 * measured window and judges them. It knows a running system as a {@link dev.chatterbox.comparison.Target}, not how
 * it was started.
 */
@NullMarked
package dev.chatterbox.comparison;

import org.jspecify.annotations.NullMarked;
