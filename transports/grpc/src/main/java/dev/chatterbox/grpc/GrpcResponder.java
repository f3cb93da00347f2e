package dev.chatterbox.grpc;

import com.google.protobuf.MessageLite;
import dev.chatterbox.proto.Output;
import dev.chatterbox.responder.ListeningResponder;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.WorkSpan;
import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Answers calls on the event loop that read them, and shows its health by the standard service. */
@Component
public class GrpcResponder extends ListeningResponder {

    /** How long the stop waits for answers; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    private static final long DRAIN_SECONDS = 2;

    private final SquareResponder responder;
    private final HealthStatusManager health = new HealthStatusManager();
    private final Server server;

    GrpcResponder(
            SquareResponder responder,
            @Value("${server.address}") String address,
            @Value("${chatterbox.grpc-port}") int port) {
        this.responder = responder;
        server = NettyServerBuilder.forAddress(new InetSocketAddress(address, port))
                // Computing an answer takes less time than a change of threads.
                .directExecutor()
                // Requesters ping a silent responder; by default a ping in five minutes is enough.
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .addService(squares())
                .addService(health.getHealthService())
                .build();
    }

    /**
     * The generated service, except that requests stay bytes: otherwise grpc-java would end a request that is no
     * square.Input message before it is counted and answered, and log a stack trace each time.
     */
    private ServerServiceDefinition squares() {
        return ServerServiceDefinition.builder(SquaresGrpc.SERVICE_NAME)
                .addMethod(
                        taking(SquaresGrpc.getUnaryMethod()),
                        traced(ServerCalls.asyncUnaryCall(
                                (request, outputs) -> responder.answer(request, new GrpcReply<>(outputs)))))
                .addMethod(
                        taking(SquaresGrpc.getBatchMethod()),
                        traced(ServerCalls.asyncUnaryCall(
                                (request, outputs) -> responder.answerBatch(request, new GrpcReply<>(outputs)))))
                .addMethod(
                        taking(SquaresGrpc.getStreamMethod()),
                        ServerCalls.asyncBidiStreamingCall(
                                outputs -> new StreamedInputs(responder, (ServerCallStreamObserver<Output>) outputs)))
                .build();
    }

    /** A call whose metadata names a span has one of its own, and says in its trailers when it was answered. */
    private <Q, R> ServerCallHandler<Q, R> traced(ServerCallHandler<Q, R> handler) {
        return (call, headers) -> {
            WorkSpan span = responder.trace(headers.get(GrpcMessages.PARENT));
            return handler.startCall(span == null ? call : endingWithItsCall(span, call), headers);
        };
    }

    private static <Q, R> ServerCall<Q, R> endingWithItsCall(WorkSpan span, ServerCall<Q, R> call) {
        return new ForwardingServerCall.SimpleForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
                trailers.put(GrpcMessages.WORK, span.end());
                super.close(status, trailers);
            }
        };
    }

    private static <T> MethodDescriptor<byte[], T> taking(MethodDescriptor<?, T> method) {
        return method.toBuilder(new ByteMarshaller(), method.getResponseMarshaller())
                .build();
    }

    @Override
    protected void listen() {
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException("The gRPC server cannot listen: " + e.getMessage(), e);
        }
        health.setStatus(SquaresGrpc.SERVICE_NAME, ServingStatus.SERVING);
    }

    @Override
    protected void close() {
        health.enterTerminalState();
        server.shutdown();
        try {
            server.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            server.shutdownNow();
        }
    }

    static StatusException error(String reason) {
        return Status.INVALID_ARGUMENT.withDescription(reason).asException();
    }

    private record GrpcReply<T extends MessageLite>(StreamObserver<T> observer) implements Reply<T> {

        GrpcReply {
            // Without a handler, an answer that comes after the requester has given up throws.
            ((ServerCallStreamObserver<T>) observer).setOnCancelHandler(() -> {});
        }

        @Override
        public void answer(T answer) {
            observer.onNext(answer);
            observer.onCompleted();
        }

        @Override
        public void error(String reason) {
            observer.onError(GrpcResponder.error(reason));
        }
    }
}
