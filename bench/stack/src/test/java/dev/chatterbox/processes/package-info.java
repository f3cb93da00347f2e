@NullMarked
package dev.chatterbox.processes;

import org.jspecify.annotations.NullMarked;
