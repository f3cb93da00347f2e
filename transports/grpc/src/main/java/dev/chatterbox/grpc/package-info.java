/** What requester, responder and bare client over gRPC share: the service, and channels that stay connected. */
@NullMarked
package dev.chatterbox.grpc;

import org.jspecify.annotations.NullMarked;
