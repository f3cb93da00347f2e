package dev.chatterbox.aggregator.rest;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.netty.Connection;

/**
 * One call over HTTP: the subscriber of its reply, and what is disposed of where it is given up.
 *
 * <p>It is cancelled on its connection's event loop. Reactor Netty closes the connection on the thread that cancels
 * (HttpClientOperations.onInboundCancel, 1.3.8): on any other, the reply may have come just then, and the connection
 * that is closed already carries somebody else's call.
 */
abstract class HttpCall<T> implements CoreSubscriber<T>, Disposable {

    private volatile boolean disposed;
    private volatile @Nullable Subscription subscription;

    /** Not the connection, which has none any more once the call has ended. */
    private volatile @Nullable EventLoop loop;

    /** To be called when the request is about to be written. */
    final void sentOn(Connection used) {
        loop = used.channel().eventLoop();
    }

    @Override
    public final void onSubscribe(Subscription upstream) {
        subscription = upstream;
        if (disposed) {
            upstream.cancel();
        } else {
            upstream.request(Long.MAX_VALUE);
        }
    }

    @Override
    public final boolean isDisposed() {
        return disposed;
    }

    @Override
    public final void dispose() {
        disposed = true;
        Subscription upstream = subscription;
        EventLoop used = loop;
        if (upstream != null) {
            if (used == null) {
                // Still without a connection.
                upstream.cancel();
            } else {
                used.execute(upstream::cancel);
            }
        }
    }
}
