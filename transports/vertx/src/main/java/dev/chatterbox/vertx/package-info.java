/** HTTP with Vert.x alone, on both sides: what HTTP itself costs, as far as it can be without a framework above it. */
@NullMarked
package dev.chatterbox.vertx;

import org.jspecify.annotations.NullMarked;
