package dev.chatterbox.aggregator.fanout;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls in flight of one transport, for each request and in all: how many messages there are, how many inputs
 * in them, and how many bytes of payloads. Requests that have more to send wait in a queue, without a thread: each sends
 * one call and goes to the end of the queue, so that a request of ten calls is not held up by one of ten thousand. Where
 * the first one's message has no room yet, the others wait too, or a large one would wait for as long as there are small
 * ones. Sending happens outside the lock, on the thread that ended another call.
 *
 * <p>A call that ends while it is being sent, on the same thread, leaves the next sending to the loop that sent it:
 * recursion would be as deep as the queue is long.
 */
final class InFlightLimit {

    /** One request, as the limit sees it. Only one thread at a time sends for it. */
    interface Caller {

        boolean wantsMore();

        /**
         * Sends one call, which has been counted; {@link Share#ended} is to be told of its end, or that there was
         * none.
         */
        void sendNext();
    }

    private final Bounds perRequest;
    private final Bounds total;
    private final Deque<Share> queue = new ArrayDeque<>();
    private final ThreadLocal<Boolean> sending = ThreadLocal.withInitial(() -> false);
    private int inFlight;
    private int inputsInFlight;
    private long bytesInFlight;

    InFlightLimit(Bounds perRequest, Bounds total) {
        this.perRequest = perRequest;
        this.total = total;
    }

    /** For messages that these bounds allow one of at least; a last one that is smaller counts as the others do. */
    Share share(Caller caller, Work work) {
        return new Share(caller, work);
    }

    /** Whether one of its messages alone is more than may ever be in flight. */
    boolean isTooMuch(Work work) {
        return perRequest.most(work.size(), work.bytes()) == 0 || total.most(work.size(), work.bytes()) == 0;
    }

    synchronized int inFlight() {
        return inFlight;
    }

    /** Requests in the queue. */
    synchronized int waiting() {
        return queue.size();
    }

    /** What one request has of the limit. All its state is guarded by the limit's lock. */
    final class Share {

        private final Caller caller;
        private final int inputs;
        private final long bytes;
        private final int most;
        private int inFlight;
        /** Whether it has more to send and is kept out of the queue by its own bound. */
        private boolean atBound;

        private Share(Caller caller, Work work) {
            this.caller = caller;
            inputs = work.size();
            bytes = work.bytes();
            most = perRequest.most(inputs, bytes);
        }

        /** Puts a new request in the queue, and sends what the limit allows. */
        void enter() {
            Share next;
            synchronized (InFlightLimit.this) {
                queue.add(this);
                next = next();
            }
            sendWhileAllowed(next);
        }

        /** Counts a call of this request as ended, and sends for whoever is next. */
        void ended() {
            Share next;
            synchronized (InFlightLimit.this) {
                InFlightLimit.this.inFlight--;
                inputsInFlight -= inputs;
                bytesInFlight -= bytes;
                inFlight--;
                if (atBound) {
                    atBound = false;
                    queue.add(this);
                }
                next = next();
            }
            sendWhileAllowed(next);
        }

        /** Takes a request that has ended out of the queue. */
        void leave() {
            synchronized (InFlightLimit.this) {
                atBound = false;
                queue.remove(this);
            }
        }

        /** A request is in the queue only while nobody sends for it: so its sending needs no lock of its own. */
        private void queueAgain() {
            if (caller.wantsMore()) {
                if (inFlight < most) {
                    queue.add(this);
                } else {
                    atBound = true;
                }
            }
        }
    }

    private void sendWhileAllowed(@Nullable Share first) {
        if (first == null) {
            return;
        }
        sending.set(true);
        try {
            Share next = first;
            while (next != null) {
                next.caller.sendNext();
                synchronized (this) {
                    next.queueAgain();
                    next = take();
                }
            }
        } finally {
            sending.set(false);
        }
    }

    /** Nobody where this thread is sending already: its loop goes on. */
    private @Nullable Share next() {
        return sending.get() ? null : take();
    }

    private @Nullable Share take() {
        Share next = queue.peek();
        if (next == null
                || inFlight >= total.messages()
                || inputsInFlight + next.inputs > total.inputs()
                || bytesInFlight + next.bytes > total.bytes()) {
            return null;
        }
        queue.remove();
        inFlight++;
        inputsInFlight += next.inputs;
        bytesInFlight += next.bytes;
        next.inFlight++;
        return next;
    }
}
