/** What requester, responder and bare client over RSocket share: routes, errors, and connecting. */
@NullMarked
package dev.chatterbox.rsocket;

import org.jspecify.annotations.NullMarked;
