package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.transport.CallMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls in flight of one transport, for each request and in all: how many messages there are, how many
 * inputs in them, and how many bytes of payloads. Requests that have more to send wait in a queue, without a thread:
 * each sends one call and goes to the end of the queue, so that a request of ten calls is not held up by one of ten
 * thousand. Where the first one's message has no room yet, the others wait too, or a large one would wait for as long
 * as there are small ones. Sending happens outside the lock, on the thread that ended another call.
 *
 * <pre>
 *  a request's         one of two lanes,              take()                  sendWhileAllowed()
 *  Share               looked at alternately
 *
 *  below its bound ──► messages  ▭▭▭▭▭▭▭ ──┐  is an eighth of the lane   ┌─► this thread, for 20 ms
 *                                          ├─ free, and room for the  ───┤
 *  at its bound:   ┌─► streamed  ▭▭▭▭▭▭▭ ──┘  inputs and their bytes?    └─► after that the variant's own thread
 *  waits until an  │   inputs                                                        │
 *  eighth is free ─┘                                                                 │
 *        ▲                                                                           ▼
 *        └─────────────────────── a call has ended: its place is free ◄──────── a call is sent
 * </pre>
 *
 * <p>A stream that is open counts as a message, which is what it takes of a client. Its inputs wait in a lane of their
 * own, with a bound of their own on their number: behind streams that are to be opened, they would wait for streams to
 * end that wait for them. How many inputs there are and how many bytes is bounded over both lanes.
 *
 * <p>A bound that was reached lets calls pass again only when an eighth of it is free. So calls are sent in bunches,
 * and a client that gathers messages writes more of them at once. A bound of less than 16 has a free place filled at
 * once.
 *
 * <p>An event loop and a timer serve all variants: a thread sends for {@value #MOST_MILLIS} ms at the most, and one
 * that ends a request before its time sends nothing. The variant's own thread sends what is left. So the first requests
 * after a start, whose sending loads and compiles classes for seconds, hold up no answer and no deadline of others.
 *
 * <p>A call that ends while it is being sent, on the same thread, leaves the next sending to the loop that sent it:
 * recursion would be as deep as the queue is long.
 */
final class InFlightLimit {

    /** One request, as the limit sees it. Only one thread at a time sends for it. */
    interface Caller {

        boolean wantsMore();

        /**
         * Sends one call, which has been counted. {@link Share#ended} is to be called at its end, and also where no
         * call was sent.
         */
        void sendNext();
    }

    /** Much more than a request needs once its code is compiled. */
    private static final long MOST_MILLIS = 20;

    /** Of the aggregator's CPU time over NATS a tenth was for looks at the clock, before this (decision 23). */
    private static final int CALLS_PER_LOOK_AT_THE_CLOCK = 8;

    /**
     * The part of a bound that must be free before it is filled again, as its divisor (docs/decisions/0023-bunches.md).
     */
    private static final int BUNCH = 8;

    private final InFlightBounds perRequest;
    private final InFlightBounds total;
    private final Executor sender;
    private final Lane messages;
    private final Lane streamedInputs;
    private final ThreadLocal<Boolean> sending = ThreadLocal.withInitial(() -> false);

    /** The lane that is looked at first; the lanes take turns. */
    private Lane turn;

    private int inputs;
    private long bytes;
    private int openStreams;

    /**
     * @param total of messages, those that are streams among them
     * @param mostStreamedInputs that may be in flight at once
     * @param sender the variant's own thread
     */
    InFlightLimit(InFlightBounds perRequest, InFlightBounds total, int mostStreamedInputs, Executor sender) {
        this.perRequest = perRequest;
        this.total = total;
        messages = new Lane(total.messages());
        streamedInputs = new Lane(mostStreamedInputs);
        turn = messages;
        this.sender = sender;
    }

    /** For messages that these bounds allow one of at least; a last one that is smaller counts as the others do. */
    Share share(Caller caller, Work work) {
        return new Share(
                caller,
                work.mode() == CallMode.STREAM ? streamedInputs : messages,
                work.size(),
                work.bytes(),
                perRequest.most(work.size(), work.bytes()));
    }

    /** For one stream, to be opened by the one call that is sent. */
    Share stream(Caller caller) {
        return new Share(caller, messages, 0, 0, 1);
    }

    /** Whether one of its messages alone is more than may ever be in flight. */
    boolean isTooMuch(Work work) {
        return perRequest.most(work.size(), work.bytes()) == 0 || total.most(work.size(), work.bytes()) == 0;
    }

    /** Calls, of a stream each of its inputs. */
    synchronized int inFlight() {
        return messages.inFlight - openStreams + streamedInputs.inFlight;
    }

    /** Requests in the queues. */
    synchronized int waiting() {
        return messages.queue.size() + streamedInputs.queue.size();
    }

    /** One of the queues, with what is in flight of it. All its state is guarded by the limit's lock. */
    private static final class Lane {

        private final int most;
        private final Deque<Share> queue = new ArrayDeque<>();
        private int inFlight;
        private boolean isFilling = true;

        Lane(int most) {
            this.most = most;
        }

        boolean isReady() {
            return isFilling && !queue.isEmpty();
        }

        void count(int more) {
            inFlight += more;
            if (inFlight >= most) {
                isFilling = false;
            } else if (isBunchFree(inFlight, most)) {
                isFilling = true;
            }
        }
    }

    private static boolean isBunchFree(int inFlight, int most) {
        return inFlight <= most - Math.max(1, most / BUNCH);
    }

    /** What one request has of the limit. All its state is guarded by the limit's lock. */
    final class Share {

        private final Caller caller;
        private final Lane lane;
        private final int inputsOfEach;
        private final long bytesOfEach;
        private final int most;
        private int inFlight;
        /** Whether it has more to send and is kept out of the queue by its own bound. */
        private boolean atBound;

        private Share(Caller caller, Lane lane, int inputsOfEach, long bytesOfEach, int most) {
            this.caller = caller;
            this.lane = lane;
            this.inputsOfEach = inputsOfEach;
            this.bytesOfEach = bytesOfEach;
            this.most = most;
        }

        /** Puts a new request in the queue, and sends what the limit allows. */
        void enter() {
            Share next;
            synchronized (InFlightLimit.this) {
                lane.queue.add(this);
                next = next();
            }
            sendWhileAllowed(next);
        }

        /** Counts a call of this request as ended, and sends for whoever is next. */
        void ended() {
            Share next;
            synchronized (InFlightLimit.this) {
                count(-1);
                if (atBound && isBunchFree(inFlight, most)) {
                    atBound = false;
                    lane.queue.add(this);
                }
                next = next();
            }
            sendWhileAllowed(next);
        }

        /** Takes a request that has ended out of the queue; whoever waited behind it may have room. */
        void leave() {
            Share next;
            synchronized (InFlightLimit.this) {
                atBound = false;
                next = lane.queue.remove(this) ? next() : null;
            }
            sendWhileAllowed(next);
        }

        /** @param more 1 where a call is to be sent, −1 where it has ended */
        private void count(int more) {
            inFlight += more;
            lane.count(more);
            inputs += more * inputsOfEach;
            bytes += more * bytesOfEach;
            if (inputsOfEach == 0) {
                openStreams += more;
            }
        }

        private boolean hasRoom() {
            return inputs + inputsOfEach <= total.inputs() && bytes + bytesOfEach <= total.bytes();
        }

        /** A request is in the queue only while nobody sends for it: so its sending needs no lock of its own. */
        private void queueAgain() {
            if (caller.wantsMore()) {
                if (inFlight < most) {
                    lane.queue.add(this);
                } else {
                    atBound = true;
                }
            }
        }
    }

    /** Runs what ends calls of a request before their time; only then are their places given to others. */
    void abandon(Runnable calls) {
        if (sending.get()) {
            calls.run();
            return;
        }
        sending.set(true);
        try {
            calls.run();
        } finally {
            sending.set(false);
        }
        Share next;
        synchronized (this) {
            next = take();
        }
        if (next != null) {
            sendByTheSender(next);
        }
    }

    private void sendByTheSender(Share first) {
        sender.execute(() -> sendWhileAllowed(first, Long.MAX_VALUE));
    }

    private void sendWhileAllowed(@Nullable Share first) {
        if (first != null) {
            sendWhileAllowed(first, TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS));
        }
    }

    private void sendWhileAllowed(Share first, long mostNanos) {
        sending.set(true);
        try {
            Share next = first;
            long start = System.nanoTime();
            int sent = 0;
            do {
                next.caller.sendNext();
                sent++;
                synchronized (this) {
                    next.queueAgain();
                    next = take();
                }
            } while (next != null
                    && (sent % CALLS_PER_LOOK_AT_THE_CLOCK != 0 || System.nanoTime() - start < mostNanos));
            if (next != null) {
                sendByTheSender(next);
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
        Lane lane = turn.isReady() ? turn : other(turn);
        // Both lanes wait for the first that needs what they share.
        if (!lane.isReady() || !lane.queue.element().hasRoom()) {
            return null;
        }
        Share next = lane.queue.remove();
        next.count(1);
        turn = other(lane);
        return next;
    }

    private Lane other(Lane lane) {
        return lane == messages ? streamedInputs : messages;
    }
}
