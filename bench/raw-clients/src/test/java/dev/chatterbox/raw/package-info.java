@NullMarked
package dev.chatterbox.raw;

import org.jspecify.annotations.NullMarked;
