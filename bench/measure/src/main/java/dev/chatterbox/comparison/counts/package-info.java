/** What the services of a running system counted, read from their metrics. */
@NullMarked
package dev.chatterbox.comparison.counts;

import org.jspecify.annotations.NullMarked;
