package dev.chatterbox.client;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;

/**
 * One call over a reactive library. It subscribes to its reply, and {@link PendingCalls} disposes of it if the call is
 * given up. Any thread may give the call up at any moment, also before it is sent.
 *
 * @param <T> the library's type of a reply
 */
public abstract class CallSubscriber<T> implements CoreSubscriber<T>, Disposable {

    private volatile @Nullable Subscription subscription;
    private volatile boolean disposed;

    /** Sends the request, unless the call is given up already. */
    @Override
    public final void onSubscribe(Subscription sending) {
        subscription = sending;
        if (disposed) {
            cancel(sending);
        } else {
            sending.request(Long.MAX_VALUE);
        }
    }

    /** Cancels a request that was sent, on the thread that gives up the call. */
    protected void cancel(Subscription sent) {
        sent.cancel();
    }

    @Override
    public final boolean isDisposed() {
        return disposed;
    }

    @Override
    public final void dispose() {
        disposed = true;
        Subscription sent = subscription;
        if (sent != null) {
            cancel(sent);
        }
    }
}
