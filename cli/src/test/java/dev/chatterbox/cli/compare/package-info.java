@NullMarked
package dev.chatterbox.cli.compare;

import org.jspecify.annotations.NullMarked;
