/** The square calculator over gRPC. */
@NullMarked
package dev.chatterbox.square.grpc;

import org.jspecify.annotations.NullMarked;
