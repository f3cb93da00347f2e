/** What all transports over HTTP have in common: the bodies of requests and replies. */
@NullMarked
package dev.chatterbox.http;

import org.jspecify.annotations.NullMarked;
