package dev.chatterbox.grpc;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import dev.chatterbox.client.CallException;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ClientCalls;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/** Calls of square_service.proto, and what their ends mean. */
final class GrpcMessages {

    private static final long CHECK_SECONDS = 2;

    /** grpc-java's default, for both sides. */
    static final MessageLimit LIMIT = new MessageLimit(4 << 20, "grpc-java's maxInboundMessageSize");

    /** The metadata of a request that is traced. */
    static final Metadata.Key<String> PARENT = Metadata.Key.of(Traces.PARENT, Metadata.ASCII_STRING_MARSHALLER);
    /** The trailers of its reply. */
    static final Metadata.Key<String> WORK = Metadata.Key.of(ResponderWork.HEADER, Metadata.ASCII_STRING_MARSHALLER);

    private GrpcMessages() {}

    /**
     * One call by grpc-java's future stub. It is cancelled if its subscriber cancels.
     *
     * @return the reply, or an error from which {@link Status#fromThrowable} reads the status
     */
    static <Q, R> Mono<R> unary(Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request) {
        return Mono.create(sink -> {
            ListenableFuture<R> reply = ClientCalls.futureUnaryCall(channel.newCall(method, options), request);
            sink.onCancel(() -> reply.cancel(true));
            reply.addListener(
                    () -> {
                        try {
                            sink.success(Futures.getDone(reply));
                        } catch (ExecutionException e) {
                            sink.error(e);
                        } catch (CancellationException e) {
                            // The subscriber has cancelled the call.
                        }
                    },
                    MoreExecutors.directExecutor());
        });
    }

    /** Asks the standard health service; no square service counts this. Empty if the service does not serve. */
    static Mono<ServingStatus> serving(Channel channel) {
        return Mono.defer(() -> unary(
                        channel,
                        HealthGrpc.getCheckMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(CHECK_SECONDS, TimeUnit.SECONDS),
                        HealthCheckRequest.newBuilder()
                                .setService(SquaresGrpc.SERVICE_NAME)
                                .build()))
                .mapNotNull(response -> response.getStatus())
                .filter(status -> status == ServingStatus.SERVING);
    }

    /** Translates the status of a call that got no reply. */
    static CallException callException(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE -> CallException.noAnswer(text(status));
            // Without a cause, a stopping square service has reset the call. With a cause, grpc-java could not read the
            // reply.
            case CANCELLED ->
                status.getCause() == null ? CallException.noAnswer(text(status)) : unreadable(text(status));
            default -> CallException.error("an error reply: %s: %s".formatted(status.getCode(), text(status)));
        };
    }

    static CallException unreadable(String reason) {
        return CallException.error("a reply that is not a single message as square_service.proto has it: " + reason);
    }

    /** If there is a cause, the description is grpc-java's own and has many lines. */
    private static String text(Status status) {
        Throwable cause = status.getCause();
        return String.valueOf(cause == null ? status.getDescription() : cause.getMessage());
    }
}
