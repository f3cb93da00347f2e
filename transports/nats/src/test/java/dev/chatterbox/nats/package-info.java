@NullMarked
package dev.chatterbox.nats;

import org.jspecify.annotations.NullMarked;
