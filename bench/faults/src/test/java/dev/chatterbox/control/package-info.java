@NullMarked
package dev.chatterbox.control;

import org.jspecify.annotations.NullMarked;
