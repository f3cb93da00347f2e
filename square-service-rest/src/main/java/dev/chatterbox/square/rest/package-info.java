/** The square calculator over REST. */
@NullMarked
package dev.chatterbox.square.rest;

import org.jspecify.annotations.NullMarked;
