/** The clocks of processes and of the machine: the CPU time that they had used at one moment. */
@NullMarked
package dev.chatterbox.processes.clocks;

import org.jspecify.annotations.NullMarked;
