package dev.chatterbox.grpc;

import dev.chatterbox.responder.Requester;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/** A channel with the library's defaults, and bytes written by hand. */
record BareGrpcClient(ManagedChannel channel) implements Requester {

    private static final MethodDescriptor<byte[], byte[]> UNARY = bytes(SquaresGrpc.getUnaryMethod());
    private static final MethodDescriptor<byte[], byte[]> BATCH = bytes(SquaresGrpc.getBatchMethod());

    static MethodDescriptor<byte[], byte[]> bytes(MethodDescriptor<?, ?> method) {
        return method.toBuilder(new ByteMarshaller(), new ByteMarshaller()).build();
    }

    static BareGrpcClient connect(int port) {
        return new BareGrpcClient(ManagedChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .build());
    }

    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        return send(batch ? BATCH : UNARY, body).thenApply(Message::of).exceptionally(error -> {
            Status status = Status.fromThrowable(error);
            if (status.getCode() != Status.Code.INVALID_ARGUMENT) {
                throw new AssertionError(status);
            }
            return Message.error(400, String.valueOf(status.getDescription()));
        });
    }

    CompletableFuture<byte[]> send(byte[] body) {
        return send(UNARY, body);
    }

    private CompletableFuture<byte[]> send(MethodDescriptor<byte[], byte[]> method, byte[] body) {
        CompletableFuture<byte[]> reply = new CompletableFuture<>();
        ClientCalls.asyncUnaryCall(channel.newCall(method, CallOptions.DEFAULT), body, new StreamObserver<>() {
            @Override
            public void onNext(byte[] message) {
                reply.complete(message);
            }

            @Override
            public void onError(Throwable error) {
                reply.completeExceptionally(error);
            }

            @Override
            public void onCompleted() {
                reply.completeExceptionally(new StatusRuntimeException(Status.DATA_LOSS));
            }
        });
        return reply;
    }

    /** Cancels unanswered calls, because a service waits for them when it stops. */
    @Override
    public void close() {
        channel.shutdownNow();
    }
}
