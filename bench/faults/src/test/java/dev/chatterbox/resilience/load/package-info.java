@NullMarked
package dev.chatterbox.resilience.load;

import org.jspecify.annotations.NullMarked;
