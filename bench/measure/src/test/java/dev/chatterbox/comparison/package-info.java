@NullMarked
package dev.chatterbox.comparison;

import org.jspecify.annotations.NullMarked;
