/** The client of square-service-grpc. */
@NullMarked
package dev.chatterbox.aggregator.grpc;

import org.jspecify.annotations.NullMarked;
