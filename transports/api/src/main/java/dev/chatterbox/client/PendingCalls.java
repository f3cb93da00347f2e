package dev.chatterbox.client;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;

/**
 * The calls that were sent and not yet answered, by correlation id: the part of a client that is the same for every
 * broker. Safe for concurrent use, lock-free, and bounded. A call costs one object, and no task of its own.
 *
 * <p>A correlation id is a sequence number. Its low bits are the call's slot in the table. A slot that is taken is
 * skipped, so an id is never used twice, and a late reply finds either no call or a call with another id.
 */
public final class PendingCalls implements AutoCloseable {

    /** How often deadlines are checked. A timeout comes at most this much late. */
    private static final long SWEEP_MILLIS = 10;

    /** Sends the request under this correlation id, without blocking. An exception becomes the call's error. */
    @FunctionalInterface
    public interface Sender {
        void send(long correlationId, SquareRequest request);
    }

    /** Reads and checks the reply to a request. */
    @FunctionalInterface
    public interface Reader<T> {
        /** @throws CallException the reply is an error reply, cannot be read, or is not right */
        SquareReply read(SquareRequest request, T reply);
    }

    private final AtomicReferenceArray<@Nullable Call> slots;
    private final int mask;
    private final AtomicLong sequence = new AtomicLong();
    private final Counter unmatched;
    private volatile Disposable sweeper = Disposables.disposed();
    private volatile boolean closed;

    private PendingCalls(String transport, int maxInFlight, MeterRegistry meters) {
        int size = Integer.highestOneBit(Math.max(maxInFlight, 8) * 2 - 1) * 2;
        slots = new AtomicReferenceArray<>(size);
        mask = size - 1;
        unmatched = Counter.builder("chatterbox.replies.unmatched")
                .description("Replies that came late, twice, or for nobody")
                .tag("transport", transport)
                .register(meters);
        Gauge.builder("chatterbox.calls.pending", this, PendingCalls::size)
                .description("Calls that were sent and are not ended, by the client's own count")
                .tag("transport", transport)
                .register(meters);
    }

    /**
     * An empty table, whose deadlines are checked from now on.
     *
     * @param transport tags the metrics
     * @param maxInFlight how many calls may be outstanding at once; the table has room for twice as many, so that a
     *     free slot is found within a step or two
     */
    public static PendingCalls start(String transport, int maxInFlight, MeterRegistry meters) {
        PendingCalls pending = new PendingCalls(transport, maxInFlight, meters);
        pending.sweeper = Schedulers.parallel()
                .schedulePeriodically(pending::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        return pending;
    }

    /** A call, which is sent on subscription. */
    public Mono<SquareReply> call(SquareRequest request, Sender sender) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super SquareReply> subscriber) {
                subscriber.onSubscribe(new Call(request, sender, subscriber));
            }
        };
    }

    /**
     * Ends the call with this correlation id, on this thread, with the reply or with the reader's exception. If there
     * is no such call, the reply is counted as unmatched.
     */
    public <T> void reply(long correlationId, T reply, Reader<? super T> reader) {
        Call call = remove(correlationId);
        if (call != null) {
            call.answer(reply, reader);
        } else {
            unmatched.increment();
        }
    }

    /**
     * Ends the call with this correlation id with an error, on this thread, because its request could not be sent or
     * was returned. If the call has already ended, nothing is counted, because no reply came.
     */
    public void fail(long correlationId, CallException error) {
        Call call = remove(correlationId);
        if (call != null) {
            call.subscriber.onError(error);
        }
    }

    /**
     * Disposes of {@code resource} if the call with this correlation id ends neither by {@link #reply} nor by
     * {@link #fail}, but by its deadline, by its cancellation or because the client stops. It does so on the thread
     * that ends the call, once or twice. If the call has already ended, it does so at once.
     */
    public void disposeWithCall(long correlationId, Disposable resource) {
        int slot = (int) correlationId & mask;
        Call call = slots.get(slot);
        if (call != null && call.id == correlationId) {
            call.resource = resource;
            if (slots.get(slot) == call) {
                return;
            }
        }
        resource.dispose();
    }

    /** Ends all calls that are outstanding now, on this thread. */
    public void failAll(CallException error) {
        endAll(call -> true, call -> error);
    }

    /** The number of outstanding calls. Reads every slot. */
    public int size() {
        return (int) IntStream.rangeClosed(0, mask)
                .filter(slot -> slots.get(slot) != null)
                .count();
    }

    /** Ends all outstanding calls as {@link Outcome#UNAVAILABLE}, on this thread, and every later call at once. */
    @Override
    public void close() {
        // A call checks this field after it has entered the table. So either the call sees that the table is closed, or
        // failAll() below sees the call.
        closed = true;
        sweeper.dispose();
        failAll(CallException.stopping());
    }

    /** Counts a reply whose correlation id cannot even be read. */
    public void unmatched() {
        unmatched.increment();
    }

    private @Nullable Call remove(long correlationId) {
        int slot = (int) correlationId & mask;
        Call call = slots.get(slot);
        if (call == null || call.id != correlationId || !slots.compareAndSet(slot, call, null)) {
            return null;
        }
        return call;
    }

    private void sweep() {
        long now = System.nanoTime();
        endAll(call -> now - call.deadline >= 0, call -> call.request.timedOut());
    }

    private void endAll(Predicate<Call> which, Function<Call, CallException> error) {
        for (int i = 0; i <= mask; i++) {
            Call call = slots.get(i);
            if (call != null && which.test(call) && slots.compareAndSet(i, call, null)) {
                call.disposeOfResource();
                call.subscriber.onError(error.apply(call));
            }
        }
    }

    /** A call is in its slot from its sending to its end. Only the thread that removes it from the slot may end it. */
    private final class Call implements Subscription {

        private final SquareRequest request;
        private final Sender sender;
        private final CoreSubscriber<? super SquareReply> subscriber;
        private volatile long id;
        private long deadline;
        private boolean requested;
        private volatile boolean cancelled;
        private volatile @Nullable Disposable resource;

        Call(SquareRequest request, Sender sender, CoreSubscriber<? super SquareReply> subscriber) {
            this.request = request;
            this.sender = sender;
            this.subscriber = subscriber;
        }

        @Override
        public void request(long n) {
            if (Operators.validate(n) && !requested) {
                requested = true;
                send();
            }
        }

        private void send() {
            deadline = System.nanoTime() + request.timeout().toNanos();
            if (cancelled) {
                return;
            }
            if (!enter()) {
                subscriber.onError(
                        CallException.unavailable("%d calls are outstanding already".formatted(slots.length())));
                return;
            }
            if (cancelled) {
                leave();
                return;
            }
            if (closed) {
                if (leave()) {
                    subscriber.onError(CallException.stopping());
                }
                return;
            }
            try {
                sender.send(id, request);
            } catch (RuntimeException e) {
                if (leave()) {
                    disposeOfResource();
                    subscriber.onError(e);
                }
            }
        }

        private boolean enter() {
            for (int tries = 0; tries <= mask; tries++) {
                id = sequence.getAndIncrement();
                if (slots.compareAndSet((int) id & mask, null, this)) {
                    return true;
                }
            }
            return false;
        }

        private boolean leave() {
            return slots.compareAndSet((int) id & mask, this, null);
        }

        private <T> void answer(T received, Reader<? super T> reader) {
            SquareReply reply;
            try {
                reply = reader.read(request, received);
            } catch (RuntimeException e) {
                subscriber.onError(e);
                return;
            }
            subscriber.onNext(reply);
            subscriber.onComplete();
        }

        @Override
        public void cancel() {
            cancelled = true;
            if (leave()) {
                disposeOfResource();
            }
        }

        private void disposeOfResource() {
            Disposable own = resource;
            if (own != null) {
                own.dispose();
            }
        }
    }
}
