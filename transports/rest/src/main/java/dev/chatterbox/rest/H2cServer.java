package dev.chatterbox.rest;

import dev.chatterbox.responder.ListeningResponder;
import dev.chatterbox.transport.Defaults;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.stereotype.Component;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

/** The same service over HTTP/2 without TLS, on a port of its own, for clients that use HTTP/2 without an upgrade. */
@Component
public class H2cServer extends ListeningResponder {

    private static final Logger log = LoggerFactory.getLogger(H2cServer.class);

    /** One connection may carry as many calls as the aggregator has in flight by default. */
    private static final int STREAMS = Defaults.IN_FLIGHT;

    /**
     * How many calls on one connection a requester may cancel in a second. After more, the connection is closed and all
     * its calls fail. The default, 200 in half a minute, is what a single leaving client may cancel at once.
     */
    private static final int CANCELLED_IN_A_SECOND = 20 * STREAMS;

    private final HttpServer server;

    @SuppressWarnings("NullAway.Init")
    private DisposableServer bound;

    H2cServer(
            HttpHandler handler,
            @Value("${server.address}") String address,
            @Value("${chatterbox.h2c-port}") int port) {
        server = HttpServer.create()
                .host(address)
                .port(port)
                .protocol(HttpProtocol.H2C)
                // So that the end waits for requests.
                .channelGroup(new DefaultChannelGroup(GlobalEventExecutor.INSTANCE))
                .http2Settings(settings ->
                        settings.maxConcurrentStreams(STREAMS).maxDecodedRstFramesPerWindow(CANCELLED_IN_A_SECOND, 1))
                .handle(new ReactorHttpHandlerAdapter(handler));
    }

    @Override
    protected void listen() {
        bound = server.bindNow();
    }

    @Override
    protected void close() {
        try {
            bound.disposeNow(Duration.ofSeconds(2));
        } catch (IllegalStateException e) {
            log.warn("Some requests were not answered: {}", e.getMessage());
        }
    }
}
