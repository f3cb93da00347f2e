package dev.chatterbox.raw.grpc;

import dev.chatterbox.grpc.SquaresGrpc;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.raw.PipelinedCalls;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bare grpc-java: unary calls without a stub, replies on Netty's event loops. Over two channels, for a reply causes the
 * next call, so that all of a channel's work is its event loop's: with one, a second processor has nothing to do.
 */
public final class RawGrpcClient {

    private static final int CHANNELS = 2;
    private static final long PATIENCE_SECONDS = 5;

    private static final MethodDescriptor<Input, Output> UNARY = SquaresGrpc.getUnaryMethod();

    private RawGrpcClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawGrpcClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        String first = System.getenv()
                .getOrDefault("SQUARE_GRPC_TARGET", "127.0.0.1:7589")
                .split(",")[0];
        List<ManagedChannel> channels = new ArrayList<>();
        for (int i = 0; i < CHANNELS; i++) {
            ManagedChannel channel = NettyChannelBuilder.forTarget(first)
                    .usePlaintext()
                    .disableRetry()
                    .directExecutor()
                    .build();
            awaitReady(channel, first);
            channels.add(channel);
        }
        // Numbers come in turn.
        return number -> {
            ClientCall<Input, Output> call = channels.get(number % CHANNELS).newCall(UNARY, CallOptions.DEFAULT);
            call.start(new Reply(calls), new Metadata());
            call.request(2);
            call.sendMessage(Input.newBuilder().setNumber(number).build());
            call.halfClose();
        };
    }

    private static void awaitReady(ManagedChannel channel, String target) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        ConnectivityState state = channel.getState(true);
        while (state != ConnectivityState.READY) {
            CountDownLatch changed = new CountDownLatch(1);
            channel.notifyWhenStateChanged(state, changed::countDown);
            if (!changed.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException("nobody answers at " + target);
            }
            state = channel.getState(true);
        }
    }

    private static final class Reply extends ClientCall.Listener<Output> {

        private final PipelinedCalls calls;
        private @Nullable Output output;

        Reply(PipelinedCalls calls) {
            this.calls = calls;
        }

        @Override
        public void onMessage(Output message) {
            output = message;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            Output replied = output;
            if (status.getCode() == Status.Code.UNAVAILABLE) {
                // Perhaps on the thread that sends, which would send again and again.
                calls.unsent(status.asException());
            } else if (!status.isOk() || replied == null) {
                calls.failed();
            } else {
                calls.replied(replied.getNumber(), replied.getResult());
            }
        }
    }
}
