@NullMarked
package dev.chatterbox.cli.stack;

import org.jspecify.annotations.NullMarked;
