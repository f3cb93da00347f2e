/** The contract between the fan-out and a transport's client, and what clients share. */
@NullMarked
package dev.chatterbox.client;

import org.jspecify.annotations.NullMarked;
