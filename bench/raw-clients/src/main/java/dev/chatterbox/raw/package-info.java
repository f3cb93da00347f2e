/** Bare client libraries, pipelined, one main class each: what this machine reaches without the aggregator. */
@NullMarked
package dev.chatterbox.raw;

import org.jspecify.annotations.NullMarked;
