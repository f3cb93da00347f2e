package dev.chatterbox.raw;

import dev.chatterbox.grpc.SquaresGrpc;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import org.jspecify.annotations.Nullable;

/** Bare grpc-java: unary calls without a stub over one channel as in the row, with replies on Netty's event loop. */
public final class RawGrpcClient {

    private static final MethodDescriptor<Input, Output> UNARY = SquaresGrpc.getUnaryMethod();

    private RawGrpcClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawGrpcClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) {
        String server = PipelinedCalls.server("SQUARE_GRPC_TARGET", "127.0.0.1:7589");
        ManagedChannel channel = NettyChannelBuilder.forTarget(server)
                .usePlaintext()
                .disableRetry()
                .directExecutor()
                .build();
        return id -> {
            ClientCall<Input, Output> call = channel.newCall(UNARY, CallOptions.DEFAULT);
            call.start(new Reply(calls, id), new Metadata());
            call.request(2);
            call.sendMessage(PipelinedCalls.input(id));
            call.halfClose();
        };
    }

    private static final class Reply extends ClientCall.Listener<Output> {

        private final PipelinedCalls calls;
        private final long id;
        private @Nullable Output output;

        Reply(PipelinedCalls calls, long id) {
            this.calls = calls;
            this.id = id;
        }

        @Override
        public void onMessage(Output message) {
            output = message;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            Output replied = output;
            if (status.getCode() == Status.Code.UNAVAILABLE) {
                // This may be the thread that sends: it would send, and fail, again and again.
                calls.unsent(id, status.asException());
            } else if (!status.isOk() || replied == null) {
                calls.failed(id);
            } else {
                calls.replied(id, replied);
            }
        }
    }
}
