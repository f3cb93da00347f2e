/**
 * A running system and its files: what a stack of chosen variants needs, how it is started as a whole or not at all,
 * and how later commands find it. This package does not know the commands.
 */
@NullMarked
package dev.chatterbox.stack;

import org.jspecify.annotations.NullMarked;
