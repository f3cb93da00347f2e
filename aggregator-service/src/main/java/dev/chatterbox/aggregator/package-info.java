/** Takes one HTTP request for N and makes N calls to a square service, over the transport that the URL names. */
@NullMarked
package dev.chatterbox.aggregator;

import org.jspecify.annotations.NullMarked;
