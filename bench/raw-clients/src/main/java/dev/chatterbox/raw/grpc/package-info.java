/** Bare grpc-java against the responder over gRPC. */
@NullMarked
package dev.chatterbox.raw.grpc;

import org.jspecify.annotations.NullMarked;
