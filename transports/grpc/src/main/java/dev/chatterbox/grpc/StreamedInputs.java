package dev.chatterbox.grpc;

import dev.chatterbox.proto.Output;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * The inputs of one stream. Each is answered as it comes, and the stream ends after the last answer, or at once after a
 * wrong input. Answers come on the stream's event loop or, if they are delayed, on the responder's timer thread.
 */
final class StreamedInputs implements StreamObserver<byte[]>, Reply<Output> {

    private final SquareResponder responder;
    private final ServerCallStreamObserver<Output> outputs;

    /** {@code this} guards all fields from here on. */
    private int unanswered;

    private boolean allCame;
    private boolean ended;

    /** Whether the next input was not requested yet. */
    private boolean pausing;

    StreamedInputs(SquareResponder responder, ServerCallStreamObserver<Output> outputs) {
        this.responder = responder;
        this.outputs = outputs;
        // Without a handler, an answer that comes after the requester has given up throws.
        outputs.setOnCancelHandler(() -> {});
        // Outputs that the requester does not read wait here. If too many wait, no further input is read.
        outputs.disableAutoRequest();
        outputs.setOnReadyHandler(this::requestTheNext);
        outputs.request(1);
    }

    private synchronized void requestTheNext() {
        if (pausing && outputs.isReady()) {
            pausing = false;
            outputs.request(1);
        }
    }

    @Override
    public void onNext(byte[] input) {
        synchronized (this) {
            pausing = true;
            if (ended) {
                return;
            }
            unanswered++;
        }
        if (!responder.answer(input, this)) {
            answered();
        }
        requestTheNext();
    }

    @Override
    public synchronized void onCompleted() {
        allCame = true;
        endAfterTheLast();
    }

    /** gRPC calls this when the requester has gone. */
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
    public synchronized void error(String reason) {
        if (!ended) {
            ended = true;
            outputs.onError(GrpcResponder.error(reason));
        }
    }
}
