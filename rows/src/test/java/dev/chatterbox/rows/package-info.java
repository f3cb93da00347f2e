@NullMarked
package dev.chatterbox.rows;

import org.jspecify.annotations.NullMarked;
