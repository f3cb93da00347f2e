/**
 * What runs beside this program: child processes that end with it or outlive it, the ports they take, the command line
 * of a Java one, and what the system and their HTTP show of them. Knows nothing of brokers, rows or measuring.
 */
@NullMarked
package dev.chatterbox.processes;

import org.jspecify.annotations.NullMarked;
