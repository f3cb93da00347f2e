/**
 * Gatling simulations that measure an aggregator over HTTP, whatever its transports.
 *
 * <p>A simulation runs a {@link dev.chatterbox.load.LoadPlan plan}: {@link dev.chatterbox.load.Step steps} one after
 * the other, each with a warm-up, a measured window and a drain. The standalone simulations make their plan from
 * system properties, the comparison reads it from a file.
 */
@NullMarked
package dev.chatterbox.load;

import org.jspecify.annotations.NullMarked;
