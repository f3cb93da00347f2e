/**
 * Programs over the transports' clients, without the aggregator: bare clients, which show what this machine reaches, and
 * {@code produce} and {@code consume} of one-way messages, also with the libraries' own listeners.
 */
@NullMarked
package dev.chatterbox.clients;

import org.jspecify.annotations.NullMarked;
