@NullMarked
package dev.chatterbox.cli.resilience;

import org.jspecify.annotations.NullMarked;
