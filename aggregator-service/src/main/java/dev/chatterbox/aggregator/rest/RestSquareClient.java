package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.aggregator.fanout.FanOutProperties;
import dev.chatterbox.rows.Row;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.TcpClient;

/**
 * A call is an HTTP/1.1 request on a connection from a pool of its own. Replies arrive on Reactor Netty's event loops, the
 * deadline's error on Reactor's timer.
 */
class RestSquareClient implements SquareClient {

    private static final String PATH = "/api/square/unary/";

    private final RestSettings settings;
    private final List<String> urls;
    private final AtomicInteger turn = new AtomicInteger();
    private final ConnectionProvider connections;
    /** Closes also what is added after its own closing. */
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    private final WebClient client;
    private volatile boolean stopped;

    RestSquareClient(Row row, ClientSettings told, FanOutProperties fanOut, WebClient.Builder builder) {
        settings = told.as(RestSettings.class);
        urls = settings.urls().stream()
                .map(url -> url.toString().replaceAll("/+$", "") + PATH)
                .toList();
        connections = ConnectionProvider.builder("square-" + row.name())
                .maxConnections(settings.connections())
                // It is seldom needed, where one of several addresses is slower: the fan-out sends what there are
                // connections for.
                .pendingAcquireMaxCount(maxInFlight())
                .pendingAcquireTimeout(fanOut.callTimeout())
                // The one used last is the one least likely to have been closed by the other side.
                .lifo()
                .maxIdleTime(Duration.ofSeconds(30))
                // A square service that joins behind the same name gets its share as connections are made anew, not all
                // at once.
                .maxLifeTime(Duration.ofSeconds(30))
                // In percent.
                .maxLifeTimeVariance(50)
                // Gauges of the pool, read when they are scraped; nothing a call.
                .metrics(true)
                .build();
        HttpClient http = HttpClient.create(connections)
                .disableRetry(true)
                // A name may stand for several square services (docker compose --scale): each new connection goes to
                // any of them, by addresses at most 5 s old. IPv4 only, for localhost is ::1 too, where nobody may
                // listen.
                .resolver(names -> names.roundRobinSelection(true)
                        .resolvedAddressTypes(ResolvedAddressTypes.IPV4_ONLY)
                        .cacheMaxTimeToLive(Duration.ofSeconds(5)))
                .doOnChannelInit((observer, channel, address) -> channels.add(channel))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis());
        client = builder.clientConnector(new ReactorClientHttpConnector(http)).build();
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return Mono.defer(() -> {
            if (stopped) {
                return Mono.error(CallException.stopping());
            }
            ConnectionThread thread = new ConnectionThread();
            return client.get()
                    .uri(URI.create(nextUrl() + request.number()))
                    .httpRequest(thread)
                    .exchangeToMono(response -> reply(request, response))
                    .onErrorMap(error -> !(error instanceof CallException), this::callException)
                    .cancelOn(Schedulers.fromExecutor(thread))
                    .timeout(request.timeout())
                    .onErrorMap(TimeoutException.class, timeout -> request.timedOut());
        });
    }

    /**
     * Cancels a call on its connection's event loop. Reactor Netty closes the connection on the thread that cancels
     * (HttpClientOperations.onInboundCancel, 1.3.8): on any other, the reply may have come just then, and the connection
     * that is closed already carries somebody else's call.
     */
    private static final class ConnectionThread implements Consumer<ClientHttpRequest>, Executor {

        private volatile @Nullable Executor eventLoop;

        @Override
        public void accept(ClientHttpRequest request) {
            if (request.getNativeRequest() instanceof Connection connection) {
                eventLoop = connection.channel().eventLoop();
            }
        }

        @Override
        public void execute(Runnable cancellation) {
            Executor known = eventLoop;
            if (known == null) {
                // Still without a connection.
                cancellation.run();
            } else {
                known.execute(cancellation);
            }
        }
    }

    private String nextUrl() {
        return urls.get(urls.size() == 1 ? 0 : Math.floorMod(turn.getAndIncrement(), urls.size()));
    }

    private static Mono<SquareReply> reply(SquareRequest request, ClientResponse response) {
        if (response.statusCode().value() != 200) {
            return response.releaseBody()
                    .then(Mono.error(new CallException(
                            Outcome.ERROR,
                            "an error reply: status " + response.statusCode().value())));
        }
        return response.bodyToMono(String.class).defaultIfEmpty("").map(body -> {
            try {
                return request.reply(request.number(), Long.parseLong(body));
            } catch (NumberFormatException e) {
                throw new CallException(Outcome.ERROR, "a reply that is not a JSON number");
            }
        });
    }

    /** A reply that breaks off in its body arrives as it is, all that goes wrong before as a WebClientRequestException. */
    private CallException callException(Throwable error) {
        if (stopped) {
            return CallException.stopping();
        }
        Throwable cause = error.getCause() == null ? error : error.getCause();
        return error instanceof WebClientRequestException || error instanceof IOException
                ? new CallException(Outcome.UNAVAILABLE, "no square service answers: " + cause.getMessage())
                : new CallException(Outcome.ERROR, "a reply that cannot be read: " + cause.getMessage());
    }

    /** Connects, and no more: a request would be counted as a call. */
    @Override
    public Mono<Void> check() {
        return Mono.firstWithValue(
                        settings.urls().stream().map(RestSquareClient::connect).toList())
                .onErrorMap(error ->
                        new CallException(Outcome.UNAVAILABLE, "no square service listens at " + settings.urls()))
                .then();
    }

    private static Mono<Boolean> connect(URI url) {
        int port = url.getPort() > 0 ? url.getPort() : "https".equals(url.getScheme()) ? 443 : 80;
        return TcpClient.newConnection()
                .host(url.getHost())
                .port(port)
                .connect()
                .doOnNext(connection -> connection.dispose())
                .thenReturn(true);
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put(
                "urls",
                String.join(",", settings.urls().stream().map(URI::toString).toList()));
        shown.put("protocol", "HTTP/1.1");
        shown.put("connections", settings.connections());
        shown.put("delivery", "direct, at most once");
        return shown;
    }

    @Override
    public int maxInFlight() {
        return settings.connections() * urls.size();
    }

    @Override
    public void start() {}

    @Override
    public void stop() {
        stopped = true;
        connections.dispose();
        // The pool leaves the connections alone that are in use.
        channels.close();
    }
}
