/** Turns one request into N calls and their replies into one answer. Knows no transport by name. */
@NullMarked
package dev.chatterbox.aggregator.fanout;

import org.jspecify.annotations.NullMarked;
