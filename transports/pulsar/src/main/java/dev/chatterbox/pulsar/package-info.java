/** What requester and responder over Pulsar share: the options of clients, and the form of messages. */
@NullMarked
package dev.chatterbox.pulsar;

import org.jspecify.annotations.NullMarked;
