/** What every part of the system says of a transport: how its calls travel, and what stands between the two sides. */
@NullMarked
package dev.chatterbox.transport;

import org.jspecify.annotations.NullMarked;
