/** Requests that are traced: their spans, and the waterfall that the live page draws. */
@NullMarked
package dev.chatterbox.aggregator.trace;

import org.jspecify.annotations.NullMarked;
