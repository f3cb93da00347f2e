/** The client of square-service-rest. */
@NullMarked
package dev.chatterbox.rest;

import org.jspecify.annotations.NullMarked;
