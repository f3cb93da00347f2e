/** The square calculator over Pulsar. */
@NullMarked
package dev.chatterbox.square.pulsar;

import org.jspecify.annotations.NullMarked;
