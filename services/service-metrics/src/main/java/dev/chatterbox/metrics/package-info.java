/** The metrics that every service shows of its own process, in addition to those of Spring Boot. */
@NullMarked
package dev.chatterbox.metrics;

import org.jspecify.annotations.NullMarked;
