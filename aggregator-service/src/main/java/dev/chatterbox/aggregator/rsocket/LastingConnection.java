package dev.chatterbox.aggregator.rsocket;

import io.netty.channel.ChannelOption;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.transport.netty.client.TcpClientTransport;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.tcp.TcpClient;

/**
 * A connection to one address. Where it breaks, another is made at once, for which calls may wait; where that cannot be
 * made, calls fail until one can.
 */
final class LastingConnection {

    private static final Logger log = LoggerFactory.getLogger(LastingConnection.class);
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private final InetSocketAddress address;
    private final Mono<RSocket> connect;
    private final Runnable changed;
    private volatile @Nullable RSocket current;
    private @Nullable Mono<RSocket> attempt;
    private boolean failed;
    private boolean stopped;

    /** @param changed runs whenever {@link #current} is another */
    LastingConnection(InetSocketAddress address, RSocketConnector connector, Runnable changed) {
        this.address = address;
        this.changed = changed;
        TcpClient client = TcpClient.newConnection()
                .remoteAddress(() -> address)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT.toMillis());
        connect = connector.connect(TcpClientTransport.create(client));
    }

    @Nullable
    RSocket current() {
        return current;
    }

    /** The attempt that is being made, unless the last one failed. */
    synchronized @Nullable Mono<RSocket> attempt() {
        return failed ? null : attempt;
    }

    /** Connects, unless it is connected, or is connecting already. */
    synchronized void tend() {
        if (current != null || attempt != null || stopped) {
            return;
        }
        Mono<RSocket> made =
                connect.doOnNext(this::opened).doOnError(this::refused).cache();
        attempt = made;
        made.subscribe(connection -> {}, error -> {});
    }

    private void opened(RSocket connection) {
        synchronized (this) {
            failed = false;
            if (stopped) {
                attempt = null;
                connection.dispose();
                return;
            }
            current = connection;
            changed.run();
            // Last: whoever finds neither a connection nor an attempt takes it that there is none.
            attempt = null;
        }
        log.info("The square service at {} is there", address);
        connection
                .onClose()
                .onErrorComplete()
                .doFinally(end -> ended(connection))
                .subscribe();
    }

    private synchronized void refused(Throwable error) {
        attempt = null;
        if (!failed) {
            failed = true;
            log.warn("No square service answers at {} yet ({}); keeps trying", address, error.getMessage());
        }
    }

    /** That connection is no more: told by itself, or by whoever finds out before. */
    void ended(RSocket connection) {
        synchronized (this) {
            if (current != connection) {
                return;
            }
            current = null;
            tend();
        }
        log.info("The connection to the square service at {} is gone", address);
        changed.run();
    }

    synchronized void stop() {
        stopped = true;
        RSocket open = current;
        if (open != null) {
            open.dispose();
        }
    }
}
