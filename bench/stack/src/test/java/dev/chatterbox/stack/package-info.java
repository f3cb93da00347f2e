@NullMarked
package dev.chatterbox.stack;

import org.jspecify.annotations.NullMarked;
