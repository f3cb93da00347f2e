package dev.chatterbox.square.grpc;

import dev.chatterbox.proto.Output;
import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * The inputs of one stream, each answered as it comes, and the end of it after the last answer; at once where an input
 * is at fault. Answers come from the stream's event loop or, where they are held back, from the responder's timer.
 */
final class StreamedInputs implements StreamObserver<byte[]>, Reply<Output> {

    private final SquareResponder responder;
    private final StreamObserver<Output> outputs;

    /** All that follows is guarded by this. */
    private int unanswered;

    private boolean allCame;
    private boolean ended;

    StreamedInputs(SquareResponder responder, StreamObserver<Output> outputs) {
        this.responder = responder;
        this.outputs = outputs;
        // Without a handler, an answer that comes after the requester has given up throws.
        ((ServerCallStreamObserver<Output>) outputs).setOnCancelHandler(() -> {});
    }

    @Override
    public void onNext(byte[] input) {
        synchronized (this) {
            if (ended) {
                return;
            }
            unanswered++;
        }
        if (!responder.answer(input, this)) {
            answered();
        }
    }

    @Override
    public synchronized void onCompleted() {
        allCame = true;
        endAfterTheLast();
    }

    /** The requester has gone. */
    @Override
    public synchronized void onError(Throwable error) {
        ended = true;
    }

    @Override
    public synchronized void answer(Output output) {
        if (!ended) {
            outputs.onNext(output);
            answered();
        }
    }

    private synchronized void answered() {
        unanswered--;
        endAfterTheLast();
    }

    private void endAfterTheLast() {
        if (allCame && unanswered == 0 && !ended) {
            ended = true;
            outputs.onCompleted();
        }
    }

    @Override
    public synchronized void error(int code, String reason) {
        if (!ended) {
            ended = true;
            outputs.onError((code == 400 ? Status.INVALID_ARGUMENT : Status.INTERNAL)
                    .withDescription(reason)
                    .asException());
        }
    }
}
