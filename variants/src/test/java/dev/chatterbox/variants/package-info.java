@NullMarked
package dev.chatterbox.variants;

import org.jspecify.annotations.NullMarked;
