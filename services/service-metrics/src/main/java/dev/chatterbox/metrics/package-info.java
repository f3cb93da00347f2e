/** What every service tells of its own process, besides what Spring Boot tells. */
@NullMarked
package dev.chatterbox.metrics;

import org.jspecify.annotations.NullMarked;
