/** What requester, responder and bare client over Artemis share: connecting, queues, and the form of messages. */
@NullMarked
package dev.chatterbox.artemis;

import org.jspecify.annotations.NullMarked;
