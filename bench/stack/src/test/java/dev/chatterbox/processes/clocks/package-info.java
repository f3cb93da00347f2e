@NullMarked
package dev.chatterbox.processes.clocks;

import org.jspecify.annotations.NullMarked;
