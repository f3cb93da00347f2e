/** Bare clients, one main class for each library: what this machine reaches without the aggregator. */
@NullMarked
package dev.chatterbox.clients;

import org.jspecify.annotations.NullMarked;
