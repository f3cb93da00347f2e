package dev.chatterbox.client;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The part of a {@link SquareStream} that is the same for every transport. It knows the outstanding inputs, each with
 * its deadline in {@link PendingCalls}, and what the end of an exchange means. Outputs and the end come from one thread
 * at a time.
 */
public abstract class StreamedCalls implements SquareStream {

    private static final long UNSENT = -1;
    private static final long ANSWERED = -2;

    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;

    /** By number − 1: the correlation id of an outstanding input, {@link #UNSENT} or {@link #ANSWERED}. */
    private final AtomicLongArray ids;

    /** Only the sending thread uses it. */
    private int sent;

    /** Only the receiving thread uses these three. */
    private int received;

    private long lastId;
    private @Nullable Runnable last;

    /** Why no more inputs can be answered; null while they can. */
    private volatile @Nullable CallException ended;

    private volatile boolean disposed;

    protected StreamedCalls(PendingCalls pending, int n) {
        this.pending = pending;
        ids = new AtomicLongArray(n);
        for (int i = 0; i < n; i++) {
            ids.setPlain(i, UNSENT);
        }
    }

    /**
     * Sends an input, without blocking, and ends the sending half after the last. One thread at a time calls it.
     *
     * @throws CallException the input cannot be sent
     */
    protected abstract void send(SquareRequest request, boolean last);

    /** Ends the exchange, if there is one and it has not ended. Any thread may call it. */
    protected abstract void cancel();

    @Override
    public final Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long id, SquareRequest request) {
        requireOpen();
        int index = request.number() - 1;
        ids.set(index, id);
        sent++;
        try {
            send(request, sent == ids.length());
        } catch (RuntimeException e) {
            // The exchange may have ended just now; then that is the reason.
            requireOpen();
            throw e;
        }
        CallException end = ended;
        if (end != null && ids.compareAndSet(index, id, ANSWERED)) {
            throw end;
        }
    }

    private void requireOpen() {
        CallException end = ended;
        if (end != null) {
            throw end;
        }
        if (disposed) {
            throw new CallException(Outcome.CANCELLED, "the stream is disposed of");
        }
    }

    /** A subclass calls this for each output, as it comes. */
    protected final <T> void output(int number, T output, PendingCalls.Reader<? super T> reader) {
        if (disposed || ended != null) {
            return;
        }
        int index = number - 1;
        long id = index < 0 || index >= ids.length() ? UNSENT : ids.getAndUpdate(index, StreamedCalls::answered);
        if (id < 0) {
            failed(new CallException(
                    Outcome.WRONG,
                    "a stream of %d inputs that brought an output for %d, %s"
                            .formatted(ids.length(), number, id == ANSWERED ? "again" : "which was not asked for")));
            cancel();
            return;
        }
        received++;
        if (received < ids.length()) {
            pending.reply(id, output, reader);
        } else {
            lastId = id;
            last = () -> pending.reply(id, output, reader);
        }
    }

    private static long answered(long id) {
        return id == UNSENT ? UNSENT : ANSWERED;
    }

    /** A subclass calls this when the service has ended the exchange regularly. */
    protected final void completed() {
        Runnable lastReply = last;
        if (lastReply == null) {
            failed(new CallException(
                    Outcome.WRONG, "a stream that ended after %d of %d outputs".formatted(received, ids.length())));
        } else if (!disposed && ended == null) {
            last = null;
            lastReply.run();
        }
    }

    /** A subclass calls this when the exchange broke off, or brought an output that cannot be read. */
    protected final void failed(CallException error) {
        if (disposed || ended != null) {
            return;
        }
        ended = error;
        if (last != null) {
            last = null;
            pending.fail(lastId, error);
        }
        // A caller that gets the first error may have disposed of this stream, and so cancelled the other inputs.
        for (int i = 0; i < ids.length() && !disposed; i++) {
            long id = ids.getAndUpdate(i, StreamedCalls::answered);
            if (id >= 0) {
                pending.fail(id, error);
            }
        }
    }

    @Override
    public final boolean isDisposed() {
        return disposed;
    }

    @Override
    public final void dispose() {
        if (!disposed) {
            disposed = true;
            cancel();
        }
    }
}
