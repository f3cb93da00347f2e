package dev.chatterbox.grpc;

import dev.chatterbox.client.PendingCalls;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StreamedCalls;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bidirectional stream. Outputs arrive on Netty's event loop. Messages that grpc-java cannot write yet wait in it;
 * the fan-out bounds their number.
 */
final class GrpcStream extends StreamedCalls {

    private final Supplier<Channel> channels;
    private final int n;
    private volatile @Nullable ClientCall<Input, Output> call;

    /** @param channels gives the channel when the stream is opened */
    GrpcStream(PendingCalls pending, Supplier<Channel> channels, int n) {
        super(pending, n);
        this.channels = channels;
        this.n = n;
    }

    @Override
    protected void send(SquareRequest request, boolean last) {
        ClientCall<Input, Output> current = call;
        if (current == null) {
            current = channels.get().newCall(SquaresGrpc.getStreamMethod(), CallOptions.DEFAULT);
            current.start(new Received(), new Metadata());
            // One more than there are inputs, so that a surplus output is noticed.
            current.request(n + 1);
            call = current;
        }
        current.sendMessage(request.input());
        if (last) {
            current.halfClose();
        }
        if (isDisposed()) {
            cancel();
        }
    }

    @Override
    protected void cancel() {
        ClientCall<Input, Output> current = call;
        if (current != null) {
            current.cancel("given up", null);
        }
    }

    private final class Received extends ClientCall.Listener<Output> {

        @Override
        public void onMessage(Output output) {
            output(output.getNumber(), output, SquareRequest::reply);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (status.isOk()) {
                completed();
            } else {
                failed(GrpcMessages.callException(status));
            }
        }
    }
}
