package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.aggregator.trace.RequestTrace;
import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallTrace;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.SquareStream;
import dev.chatterbox.client.SquareStreamClient;
import dev.chatterbox.transport.CallMode;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/**
 * One request and its calls. Each call is one message and is made once, as the limit on calls in flight allows. The
 * request ends once: with all replies, with the first failure, or by {@link #cancel}. In the last two cases outstanding
 * calls are cancelled and the others are never sent.
 *
 * <p>It replaces {@code Flux.flatMap}, which limits only a single request, and costs a queue and three objects for each
 * call.
 */
final class FanOut implements InFlightLimit.Caller {

    private static final Logger log = LoggerFactory.getLogger(FanOut.class);

    private final Transport transport;
    private final Work work;
    private final int messages;
    private final Consumer<SquareReply> replied;
    private final Runnable succeeded;
    private final Consumer<Throwable> failed;

    /** Null if the request is not traced. */
    private final @Nullable RequestTrace trace;

    private final long start = System.nanoTime();
    /** Those in flight, each at the index of its message. */
    private final @Nullable Call[] calls;

    private final AtomicInteger unanswered;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final InFlightLimit.Share share;

    /** Null where the request has no stream. */
    private final @Nullable StreamPermit permit;

    /** Null until the permit is acquired. */
    private volatile @Nullable SquareStream stream;

    /** Only one thread at a time sends and writes this; a thread that cancels learns from it which calls exist. */
    private volatile int sent;

    /**
     * Makes the fan-out of an admitted request, and releases the request's permit at its end.
     *
     * @param trace null if the request is not traced
     * @param replied takes the replies, concurrently and in order of completion
     * @param succeeded runs at the end, if all replies came
     * @param failed takes the error that ended the request; after a cancellation, neither of the two is called
     */
    FanOut(
            Transport transport,
            Work work,
            @Nullable RequestTrace trace,
            Consumer<SquareReply> replied,
            Runnable succeeded,
            Consumer<Throwable> failed) {
        this.transport = transport;
        this.work = work;
        this.trace = trace;
        this.replied = replied;
        this.succeeded = succeeded;
        this.failed = failed;
        messages = work.messages();
        calls = new Call[messages];
        unanswered = new AtomicInteger(messages);
        share = transport.inFlightLimit.share(this, work);
        permit = work.mode() == CallMode.STREAM ? new StreamPermit(transport.inFlightLimit, this::openStream) : null;
    }

    /** Sends the calls that the limit allows. */
    void start() {
        if (hasEnded()) {
            return;
        }
        if (permit == null) {
            share.enter();
        } else {
            permit.acquire();
        }
    }

    private void openStream() {
        stream = ((SquareStreamClient) transport.client).stream(work.n());
        share.enter();
    }

    private boolean hasEnded() {
        return ended.get();
    }

    @Override
    public boolean wantsMore() {
        return sent < messages && !hasEnded();
    }

    /** Makes the next call. Runs on the thread that ended another. */
    @Override
    public void sendNext() {
        int index = sent;
        if (index == messages || hasEnded()) {
            share.ended();
            return;
        }
        Call call = new Call(index);
        calls[index] = call;
        sent = index + 1;
        SquareStream opened = stream;
        try {
            (opened == null ? transport.client.square(call.request()) : opened.square(call.request())).subscribe(call);
        } catch (RuntimeException e) {
            // The contract forbids this exception; but worse would be a call that counts as in flight for ever.
            call.onError(e);
        }
    }

    /** The user has disconnected. Does nothing if the request has already ended. */
    void cancel() {
        transport.inFlightLimit.abandon(() -> end(Outcome.CANCELLED));
    }

    private boolean end(Outcome outcome) {
        if (ended.getAndSet(true)) {
            return false;
        }
        if (outcome != Outcome.OK) {
            abandonCalls();
            releasePermit();
        }
        transport.meters.request(outcome, start);
        if (trace != null) {
            trace.ended(outcome);
        }
        transport.release();
        return true;
    }

    private void releasePermit() {
        if (permit != null) {
            permit.release();
        }
    }

    private void abandonCalls() {
        share.leave();
        for (int i = 0, last = sent; i < last; i++) {
            Call call = calls[i];
            if (call != null) {
                call.cancel();
            }
        }
        SquareStream opened = stream;
        if (opened != null) {
            opened.dispose();
        }
    }

    /** One call in flight. Ends once, whatever its client signals. */
    private final class Call implements CoreSubscriber<SquareReply> {

        /** An AtomicBoolean would be another object for each call. */
        private static final AtomicIntegerFieldUpdater<Call> ENDED =
                AtomicIntegerFieldUpdater.newUpdater(Call.class, "ended");

        /** Errors of a call after its end concern nobody. By default Reactor would log them with a stack trace. */
        private static final Context CONTEXT = Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>)
                error -> log.debug("After the end of its call", error));

        /** 0 before the end, 1 after it. */
        private volatile int ended;

        private final int index;
        private final long sentAt = System.nanoTime();
        private volatile @Nullable Subscription upstream;

        Call(int index) {
            this.index = index;
            transport.meters.queued(sentAt - start);
        }

        SquareRequest request() {
            return new SquareRequest(
                    work.mode() == CallMode.BATCH,
                    number(),
                    count(),
                    work.payload(),
                    work.ofCall(),
                    transport.timeout(start, sentAt),
                    trace == null ? null : beginSpan(trace));
        }

        private CallTrace beginSpan(RequestTrace traced) {
            CallTrace span = traced.sending(index, number(), sentAt);
            if (ended == 1) {
                // It was cancelled before its span began.
                traced.ended(index, sentAt, Outcome.CANCELLED);
            }
            return span;
        }

        private int number() {
            return index * work.size() + 1;
        }

        private int count() {
            return Math.min(work.size(), work.n() + 1 - number());
        }

        @Override
        public Context currentContext() {
            return CONTEXT;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            if (hasEnded() || ended == 1) {
                cancel();
                subscription.cancel();
            } else {
                subscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(SquareReply reply) {
            if (reply.number() != number() || reply.count() != count()) {
                // This catches a client that mixes replies up after its own check.
                onError(new CallException(
                        Outcome.WRONG, "the reply to the request for " + number() + " is for " + reply.number()));
            } else if (end(Outcome.OK)) {
                replied.accept(reply);
                // First the answer, if this was the last reply: whoever gets the free place may send for milliseconds.
                if (unanswered.decrementAndGet() == 0 && FanOut.this.end(Outcome.OK)) {
                    succeeded.run();
                    releasePermit();
                }
                share.ended();
            }
        }

        @Override
        public void onError(Throwable error) {
            if (end(Outcome.of(error))) {
                transport.inFlightLimit.abandon(() -> {
                    // The request must end before the call counts as ended: otherwise its next call would be sent.
                    boolean first = FanOut.this.end(Outcome.of(error));
                    share.ended();
                    if (first) {
                        failed.accept(error);
                    }
                });
            }
        }

        @Override
        public void onComplete() {
            if (ended == 0) {
                onError(CallException.error("the call for " + number() + " ended without a reply"));
            }
        }

        void cancel() {
            if (end(Outcome.CANCELLED)) {
                Subscription subscription = upstream;
                if (subscription != null) {
                    subscription.cancel();
                }
                share.ended();
            }
        }

        private boolean end(Outcome outcome) {
            if (!ENDED.compareAndSet(this, 0, 1)) {
                return false;
            }
            // The client's state of this call, kilobytes over HTTP, must not live as long as the whole request.
            calls[index] = null;
            long now = System.nanoTime();
            transport.meters.call(outcome, now - sentAt, count());
            if (trace != null) {
                trace.ended(index, now, outcome);
            }
            if (outcome == Outcome.OK) {
                transport.replied(now);
            }
            return true;
        }
    }
}
