@NullMarked
package dev.chatterbox.results;

import org.jspecify.annotations.NullMarked;
