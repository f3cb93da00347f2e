package dev.chatterbox.client;

import reactor.core.publisher.Mono;

/** A client whose calls are in {@link PendingCalls} from their sending to their end. A subclass sends their requests. */
public abstract class PendingClient implements SquareClient {

    /** A subclass ends calls by it, with the replies that come and the errors that it finds out later. */
    protected final PendingCalls pending;

    private final PendingCalls.Sender sender = this::send;

    /** @param pending its own, which {@link #stop} closes */
    protected PendingClient(PendingCalls pending) {
        this.pending = pending;
    }

    /** Sends a request, without blocking. An exception becomes the call's error. */
    protected abstract void send(long correlationId, SquareRequest request);

    @Override
    public final Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    @Override
    public void stop() {
        pending.close();
    }
}
