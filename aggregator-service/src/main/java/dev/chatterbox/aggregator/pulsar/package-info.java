/** The client of square-service-pulsar. Only the Maven profile pulsar compiles it, for its library is 28 MB. */
@NullMarked
package dev.chatterbox.aggregator.pulsar;

import org.jspecify.annotations.NullMarked;
