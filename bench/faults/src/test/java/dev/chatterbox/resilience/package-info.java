@NullMarked
package dev.chatterbox.resilience;

import org.jspecify.annotations.NullMarked;
