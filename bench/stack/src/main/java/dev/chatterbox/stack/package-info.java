/**
 * A running system and its files: what a stack of chosen rows needs, how it is started, all of it or nothing, and how
 * it is found again. Knows no command.
 */
@NullMarked
package dev.chatterbox.stack;

import org.jspecify.annotations.NullMarked;
