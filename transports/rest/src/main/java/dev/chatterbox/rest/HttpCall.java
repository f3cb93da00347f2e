package dev.chatterbox.rest;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallSubscriber;
import io.netty.channel.EventLoop;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.netty.Connection;

/**
 * One call over HTTP.
 *
 * <p>It is cancelled on its connection's event loop, because Reactor Netty closes the connection on the thread that
 * cancels (HttpClientOperations.onInboundCancel, 1.3.8). On another thread, the reply may have come just then, and the
 * connection that is closed may already carry another call.
 */
abstract class HttpCall<T> extends CallSubscriber<T> {

    /** The event loop is kept instead of the connection, which the library takes away when the call ends. */
    private volatile @Nullable EventLoop loop;

    /** A subclass calls this when the request is about to be written. */
    final void sentOn(Connection used) {
        loop = used.channel().eventLoop();
    }

    /** Whether the call never had a connection, so that no server has got it. */
    final boolean isUnsent() {
        return loop == null;
    }

    @Override
    protected final void cancel(Subscription sent) {
        EventLoop used = loop;
        if (used == null) {
            // The call has no connection yet.
            sent.cancel();
        } else {
            used.execute(sent::cancel);
        }
    }

    /** Translates an error of the library. WebClient wraps errors; before the reply in a WebClientRequestException. */
    static CallException callException(Throwable error) {
        Throwable cause = error instanceof WebClientException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof CallException call) {
            return call;
        }
        return error instanceof WebClientRequestException || cause instanceof IOException
                ? CallException.noAnswer(cause.getMessage())
                : CallException.error("a reply that cannot be read: " + cause.getMessage());
    }
}
