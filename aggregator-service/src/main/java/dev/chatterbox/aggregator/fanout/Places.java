package dev.chatterbox.aggregator.fanout;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The places for calls in flight of one transport. Requests that want one wait in turn, without a thread: each gets one
 * place and goes to the end of the line, so that a request of ten calls is not held up by one of ten thousand. Sending
 * happens on the thread that brought the free place, outside the lock.
 *
 * <p>A call that ends while it is being sent, on the same thread, leaves its place to the loop that sent it: recursion
 * would be as deep as the line is long.
 */
final class Places {

    private final int perRequest;
    private final int total;
    private final Deque<FanOut> line = new ArrayDeque<>();
    private final ThreadLocal<Boolean> sending = ThreadLocal.withInitial(() -> false);
    private int taken;

    Places(int perRequest, int total) {
        this.perRequest = perRequest;
        this.total = total;
    }

    /** Puts a new request in the line, and sends what there are places for. */
    void enter(FanOut request) {
        FanOut next;
        synchronized (this) {
            line.add(request);
            next = sending.get() ? null : take();
        }
        sendWhilePlacesLast(next);
    }

    /** Takes back the place of a call that ended, and gives it to whoever is next. */
    void free(FanOut request) {
        FanOut next;
        synchronized (this) {
            taken--;
            request.inFlight--;
            if (request.full) {
                request.full = false;
                line.add(request);
            }
            next = sending.get() ? null : take();
        }
        sendWhilePlacesLast(next);
    }

    /** Takes a request that has ended out of the line. */
    synchronized void leave(FanOut request) {
        request.full = false;
        line.remove(request);
    }

    synchronized int inFlight() {
        return taken;
    }

    synchronized int waiting() {
        return line.size();
    }

    private void sendWhilePlacesLast(@Nullable FanOut request) {
        if (request == null) {
            return;
        }
        sending.set(true);
        try {
            FanOut next = request;
            while (next != null) {
                next.sendNext();
                synchronized (this) {
                    lineUp(next);
                    next = take();
                }
            }
        } finally {
            sending.set(false);
        }
    }

    /** A request is in the line only while nobody sends for it: so its sending needs no lock of its own. */
    private void lineUp(FanOut request) {
        if (request.wantsMore()) {
            if (request.inFlight < perRequest) {
                line.add(request);
            } else {
                request.full = true;
            }
        }
    }

    private @Nullable FanOut take() {
        FanOut next = taken < total ? line.poll() : null;
        if (next != null) {
            taken++;
            next.inFlight++;
        }
        return next;
    }
}
