/** The client of square-service-rest. */
@NullMarked
package dev.chatterbox.aggregator.rest;

import org.jspecify.annotations.NullMarked;
