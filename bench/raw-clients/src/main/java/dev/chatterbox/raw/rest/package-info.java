/** Bare Netty against the responder over REST. */
@NullMarked
package dev.chatterbox.raw.rest;

import org.jspecify.annotations.NullMarked;
