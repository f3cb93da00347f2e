/**
 * What runs beside this program: child processes that end with it or outlive it, their ports, the command lines of Java
 * programs, and what the system and HTTP show of them. Knows nothing of brokers, variants or measuring.
 */
@NullMarked
package dev.chatterbox.processes;

import org.jspecify.annotations.NullMarked;
