package dev.chatterbox.aggregator.grpc;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.protobuf.Message;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/** Calls and their ends as square_service.proto in the gRPC responder has them. */
final class GrpcMessages {

    private static final String SERVICE = "square.Squares";
    private static final long CHECK_SECONDS = 2;

    /** These are stated here, so that this service needs nothing that was generated for the responder. */
    static final MethodDescriptor<Input, Output> UNARY =
            method("Unary", Input.getDefaultInstance(), Output.getDefaultInstance());

    static final MethodDescriptor<Inputs, Outputs> BATCH =
            method("Batch", Inputs.getDefaultInstance(), Outputs.getDefaultInstance());

    static final MethodDescriptor<Input, Output> STREAM =
            method("Stream", Input.getDefaultInstance(), Output.getDefaultInstance()).toBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .build();

    /** What grpc-java takes by default, on either side. */
    static final MessageLimit LIMIT = new MessageLimit(4 << 20, "grpc-java's maxInboundMessageSize");

    private GrpcMessages() {}

    /** Of this grpc-java. */
    static String version() {
        return "grpc-java " + ManagedChannel.class.getPackage().getImplementationVersion();
    }

    private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> method(
            String name, Q request, R reply) {
        return MethodDescriptor.newBuilder(ProtoUtils.marshaller(request), ProtoUtils.marshaller(reply))
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .build();
    }

    /**
     * One call by grpc-java's future stub, which is cancelled where its subscriber goes away.
     *
     * @return its reply, or an error from which {@link Status#fromThrowable} reads the status
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
                            // Nobody waits for it.
                        }
                    },
                    MoreExecutors.directExecutor());
        });
    }

    /** Asks the standard health service, which no square service counts; empty where it does not serve. */
    static Mono<ServingStatus> serving(Channel channel) {
        return Mono.defer(() -> unary(
                        channel,
                        HealthGrpc.getCheckMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(CHECK_SECONDS, TimeUnit.SECONDS),
                        HealthCheckRequest.newBuilder().setService(SERVICE).build()))
                .mapNotNull(response -> response.getStatus())
                .filter(status -> status == ServingStatus.SERVING);
    }

    /** What the end of a call means that got no reply. */
    static CallException callException(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE -> unavailable(status);
            // A square service that stops resets the call; a reply that cannot be read is a reason for grpc-java
            // itself.
            case CANCELLED -> status.getCause() == null ? unavailable(status) : unreadable(text(status));
            default ->
                new CallException(Outcome.ERROR, "an error reply: %s: %s".formatted(status.getCode(), text(status)));
        };
    }

    private static CallException unavailable(Status status) {
        return new CallException(Outcome.UNAVAILABLE, "no square service answers: " + text(status));
    }

    static CallException unreadable(String reason) {
        return new CallException(
                Outcome.ERROR, "a reply that is not a single message as square_service.proto has it: " + reason);
    }

    /** Where there is a cause, the description is the library's own, of many lines. */
    private static String text(Status status) {
        Throwable cause = status.getCause();
        return String.valueOf(cause == null ? status.getDescription() : cause.getMessage());
    }
}
