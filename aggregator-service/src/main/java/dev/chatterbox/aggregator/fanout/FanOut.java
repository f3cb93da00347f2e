package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * One request: n calls, each made once, as places allow. Ends once: with all replies, with the first failure, or by
 * {@link #cancel}; in the latter two cases the calls that are outstanding are cancelled and the others never sent.
 *
 * <p>In place of {@code Flux.flatMap}: that one bounds a single request only, and costs a queue and three objects a call.
 */
final class FanOut {

    /** Hears of one request's replies, concurrently and in order of completion, and then of its end, unless it was cancelled. */
    interface Listener {

        void replied(SquareReply reply);

        void succeeded();

        void failed(Throwable error);
    }

    private final Transport transport;
    private final int n;
    private final Listener listener;
    private final long start = System.nanoTime();
    /** Those in flight, each at its number − 1. */
    private final @Nullable Call[] calls;

    private final AtomicInteger unanswered;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Written by the one thread that sends at a time; tells a cancelling thread which calls there are. */
    private volatile int sent;

    /** Guarded by {@link Places}. */
    int inFlight;

    /** Whether it wants a place and has as many as a request may have. Guarded by {@link Places}. */
    boolean full;

    FanOut(Transport transport, int n, Listener listener) {
        this.transport = transport;
        this.n = n;
        this.listener = listener;
        calls = new Call[n];
        unanswered = new AtomicInteger(n);
    }

    /** Sends what there are places for, or fails at once where the request cannot be taken in. */
    void start() {
        CallException refusal = transport.admit();
        if (refusal == null) {
            transport.places.enter(this);
        } else if (ended.compareAndSet(false, true)) {
            transport.meters.request(Outcome.of(refusal), start);
            listener.failed(refusal);
        }
    }

    boolean wantsMore() {
        return sent < n && !ended.get();
    }

    /** Makes the next call, for which a place was taken. Runs on the thread that freed the place. */
    void sendNext() {
        int index = sent;
        if (index == n || ended.get()) {
            transport.places.free(this);
            return;
        }
        Call call = new Call(index + 1);
        calls[index] = call;
        sent = index + 1;
        try {
            transport
                    .client
                    .square(new SquareRequest(call.number, transport.callTimeout))
                    .subscribe(call);
        } catch (RuntimeException e) {
            // Against the contract; but a place that is never given back would be the worse fault.
            call.onError(e);
        }
    }

    /** Whoever asked has gone. Does nothing where the request has ended. */
    void cancel() {
        end(Outcome.CANCELLED);
    }

    private boolean end(Outcome outcome) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        if (outcome != Outcome.OK) {
            abandonCalls();
        }
        transport.meters.request(outcome, start);
        transport.release();
        return true;
    }

    private void abandonCalls() {
        transport.places.leave(this);
        for (int i = 0, last = sent; i < last; i++) {
            Call call = calls[i];
            if (call != null) {
                call.cancel();
            }
        }
    }

    /** One call in flight. Ends once, whatever its client signals. */
    private final class Call extends AtomicBoolean implements CoreSubscriber<SquareReply> {

        private final int number;
        private final long sentAt = System.nanoTime();
        private volatile @Nullable Subscription upstream;

        Call(int number) {
            this.number = number;
            transport.meters.queued(sentAt - start);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            if (ended.get() || get()) {
                cancel();
                subscription.cancel();
            } else {
                subscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(SquareReply reply) {
            if (reply.number() != number) {
                // A client that mixes replies up after its own check is caught here.
                onError(new CallException(
                        Outcome.WRONG, "the reply to the request for " + number + " is for " + reply.number()));
            } else if (end(Outcome.OK)) {
                listener.replied(reply);
                transport.places.free(FanOut.this);
                if (unanswered.decrementAndGet() == 0 && FanOut.this.end(Outcome.OK)) {
                    listener.succeeded();
                }
            }
        }

        @Override
        public void onError(Throwable error) {
            if (end(Outcome.of(error))) {
                // The request ends before the place is free, or its next call would take it.
                boolean first = FanOut.this.end(Outcome.of(error));
                transport.places.free(FanOut.this);
                if (first) {
                    listener.failed(error);
                }
            }
        }

        @Override
        public void onComplete() {
            onError(new CallException(Outcome.ERROR, "the call for " + number + " ended without a reply"));
        }

        void cancel() {
            if (end(Outcome.CANCELLED)) {
                Subscription subscription = upstream;
                if (subscription != null) {
                    subscription.cancel();
                }
                transport.places.free(FanOut.this);
            }
        }

        private boolean end(Outcome outcome) {
            if (!compareAndSet(false, true)) {
                return false;
            }
            // What the client holds for this call, kilobytes over HTTP, must not live as long as the whole request.
            calls[number - 1] = null;
            transport.meters.call(outcome, sentAt);
            return true;
        }
    }
}
