/** The clocks of processes and of the machine, which say how much CPU time was used up to one moment. */
@NullMarked
package dev.chatterbox.processes.clocks;

import org.jspecify.annotations.NullMarked;
