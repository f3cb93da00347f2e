package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.CallSubscriber;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.netty.Connection;

/**
 * One call over HTTP.
 *
 * <p>It is cancelled on its connection's event loop. Reactor Netty closes the connection on the thread that cancels
 * (HttpClientOperations.onInboundCancel, 1.3.8): on any other, the reply may have come just then, and the connection
 * that is closed already carries somebody else's call.
 */
abstract class HttpCall<T> extends CallSubscriber<T> {

    /** Not the connection, which has none any more once the call has ended. */
    private volatile @Nullable EventLoop loop;

    /** To be called when the request is about to be written. */
    final void sentOn(Connection used) {
        loop = used.channel().eventLoop();
    }

    @Override
    protected final void cancel(Subscription sent) {
        EventLoop used = loop;
        if (used == null) {
            // Still without a connection.
            sent.cancel();
        } else {
            used.execute(sent::cancel);
        }
    }
}
