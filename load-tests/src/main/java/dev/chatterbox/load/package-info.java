/**
 * Gatling simulations that measure an aggregator over HTTP, whatever its transports.
 *
 * <p>Gatling's users live for the whole run. A {@link dev.chatterbox.workloads.Slice slice} gives some of them requests
 * to make. The comparison orders slices over a channel; the standalone simulations make their own from system
 * properties.
 */
@NullMarked
package dev.chatterbox.load;

import org.jspecify.annotations.NullMarked;
