/** A running system that this program did not start: its variants, and its processes' counters, from Prometheus. */
@NullMarked
package dev.chatterbox.comparison.remote;

import org.jspecify.annotations.NullMarked;
