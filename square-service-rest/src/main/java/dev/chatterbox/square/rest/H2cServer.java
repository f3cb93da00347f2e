package dev.chatterbox.square.rest;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.stereotype.Component;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

/** The same service over HTTP/2 without TLS, on a port of its own, for clients that know beforehand what it speaks. */
@Component
class H2cServer implements SmartLifecycle {

    /** As many calls as the aggregator has in flight by default may share one connection. */
    private static final int STREAMS = 2048;

    /**
     * Calls that a requester may give up on one connection in a second; with more, the connection is closed, and every
     * call on it fails. By default it is 200 in half a minute, which is what one client's leaving may cancel at once.
     */
    private static final int CANCELLED_IN_A_SECOND = 20 * STREAMS;

    private final HttpServer server;
    private volatile @Nullable DisposableServer running;

    H2cServer(
            HttpHandler handler,
            @Value("${server.address}") String address,
            @Value("${chatterbox.h2c-port}") int port) {
        server = HttpServer.create()
                .host(address)
                .port(port)
                .protocol(HttpProtocol.H2C)
                .http2Settings(settings ->
                        settings.maxConcurrentStreams(STREAMS).maxDecodedRstFramesPerWindow(CANCELLED_IN_A_SECOND, 1))
                .handle(new ReactorHttpHandlerAdapter(handler));
    }

    @Override
    public void start() {
        running = server.bindNow();
    }

    @Override
    public void stop() {
        DisposableServer bound = running;
        if (bound != null) {
            running = null;
            bound.disposeNow(Duration.ofSeconds(1));
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE;
    }
}
