@NullMarked
package dev.chatterbox.cli;

import org.jspecify.annotations.NullMarked;
