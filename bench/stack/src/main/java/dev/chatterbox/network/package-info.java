/** The network that can lie between the processes of a system: a Toxiproxy, which delays, cuts and silences. */
@NullMarked
package dev.chatterbox.network;

import org.jspecify.annotations.NullMarked;
