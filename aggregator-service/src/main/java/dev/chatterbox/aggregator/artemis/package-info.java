/** The clients of square-service-artemis: over the core protocol, and over JMS. */
@NullMarked
package dev.chatterbox.aggregator.artemis;

import org.jspecify.annotations.NullMarked;
