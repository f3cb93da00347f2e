@NullMarked
package dev.chatterbox.load;

import org.jspecify.annotations.NullMarked;
