/** What requester, responder and bare client over NATS share: how they connect, stay connected, and use streams. */
@NullMarked
package dev.chatterbox.nats;

import org.jspecify.annotations.NullMarked;
