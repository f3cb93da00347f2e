package dev.chatterbox.rest;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.PendingCalls;
import dev.chatterbox.client.PendingClient;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.SquareStream;
import dev.chatterbox.client.SquareStreamClient;
import dev.chatterbox.connection.Turns;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.TcpClient;

/**
 * A client of Reactor Netty over a pool of connections to the square services of a variant, with its deadlines in
 * {@link PendingCalls}. A subclass sends requests to a server.
 */
abstract class PooledRestClient extends PendingClient implements SquareStreamClient {

    /** A server that accepts no connection is tried again after this time. */
    private static final long AWAY_NANOS = Duration.ofMillis(500).toNanos();

    /**
     * One square service.
     *
     * @param get sends requests without a body; host and port are set, so that a request's URI is a path
     * @param post sends requests with a body, likewise
     * @param path ends before the name of the exchange, with a slash
     */
    record Server(HttpClient.RequestSender get, HttpClient.RequestSender post, String path) {}

    private final RestSettings settings;
    private final ConnectionProvider connections;

    /** Also closes channels that are added after its own closing. */
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    final List<Server> servers;
    private final AtomicInteger turn = new AtomicInteger();
    private final IntPredicate there = this::isThere;
    private final AtomicInteger address = new AtomicInteger();

    /** Until when each server gets no call, because no connection to it could be made; 0 if it gets calls. */
    private final AtomicLongArray away;

    PooledRestClient(Variant variant, RestSettings settings, CallLimits limits, MeterRegistry meters) {
        super(PendingCalls.start(variant.name(), limits.maxOutstanding(settings.maxInFlight()), meters));
        this.settings = settings;
        connections = pool(variant.name(), settings);
        HttpClient http = HttpClient.create(connections)
                .protocol(settings.protocol().library)
                .disableRetry(true)
                // A name may stand for several square services (docker compose --scale, a headless Service): new
                // connections go to them in turn, by addresses that are at most 5 s old.
                .resolver(names -> names.resolvedAddressTypes(ResolvedAddressTypes.IPV4_PREFERRED)
                        .cacheMaxTimeToLive(Duration.ofSeconds(5)))
                .resolvedAddressesSelector((config, addresses) -> inTurn(addresses, address.getAndIncrement()))
                .doOnChannelInit((observer, channel, address) -> channels.add(channel))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis());
        servers = settings.urls().stream().map(url -> server(http, url)).toList();
        away = new AtomicLongArray(servers.size());
    }

    private static ConnectionProvider pool(String variant, RestSettings settings) {
        ConnectionProvider.Builder pool = ConnectionProvider.builder("square-" + variant)
                .maxConnections(settings.connections())
                // No bound, because the fan-out sends only as many calls as there are connections. Connections of
                // cancelled calls are closed a moment later; so when many clients disconnect at once, calls of others
                // wait here, and must not be refused.
                .pendingAcquireMaxCount(-1)
                // The call's own deadline covers this wait; a timer here would cost a task for each call.
                .pendingAcquireTimeout(Duration.ZERO)
                // The other side has least likely closed the connection that was used last.
                .lifo()
                .maxIdleTime(Duration.ofSeconds(30))
                // Connections are renewed at different times, so that a square service that joins behind the same name
                // gets its share gradually.
                .maxLifeTime(Duration.ofSeconds(30))
                // In percent.
                .maxLifeTimeVariance(50)
                // Gauges of the pool, read when they are scraped.
                .metrics(true);
        if (settings.protocol() == RestSettings.Protocol.H2C) {
            pool.allocationStrategy(Http2AllocationStrategy.builder()
                    .maxConnections(settings.connections())
                    .maxConcurrentStreams(settings.streams())
                    .build());
        }
        return pool.build();
    }

    private static Server server(HttpClient http, URI url) {
        HttpClient plain = http.host(url.getHost()).port(port(url));
        HttpClient ofServer = isSecure(url) ? plain.secure() : plain;
        return new Server(
                ofServer.request(HttpMethod.GET),
                ofServer.request(HttpMethod.POST),
                url.getRawPath().replaceAll("/+$", "") + HttpMessages.PATH);
    }

    private static int port(URI url) {
        return url.getPort() > 0 ? url.getPort() : isSecure(url) ? 443 : 80;
    }

    private static boolean isSecure(URI url) {
        return "https".equals(url.getScheme());
    }

    /**
     * Sends a request, without blocking, as a {@link Call} that {@code disposeWithCall} ties to the call with this
     * correlation id, and that takes the request's errors.
     */
    abstract void send(int server, long correlationId, SquareRequest request);

    @Override
    protected final void send(long correlationId, SquareRequest request) {
        send(next(), correlationId, request);
    }

    /** One request of a call, to one server; {@code B} is the type of what comes as the reply's body. */
    abstract class Call<B> extends HttpCall<B> {

        final long correlationId;
        final SquareRequest request;
        private final int server;

        Call(int server, long correlationId, SquareRequest request) {
            this.server = server;
            this.correlationId = correlationId;
            this.request = request;
        }

        /** Ends the call, or sends it to another server if this one accepted no connection for it. */
        @Override
        public final void onError(Throwable error) {
            if (isRefused(server, this, error)) {
                send(correlationId, request);
            } else {
                pending.fail(correlationId, callException(error));
            }
        }
    }

    /** Whether a server accepted no connection for a call, and others may take it; the server is then left out. */
    final boolean isRefused(int server, HttpCall<?> call, Throwable error) {
        if (servers.size() == 1
                || !call.isUnsent()
                || HttpCall.callException(error).outcome() != Outcome.UNAVAILABLE) {
            return false;
        }
        // Never 0, which has another meaning.
        away.set(server, System.nanoTime() + AWAY_NANOS | 1);
        return IntStream.range(0, servers.size()).anyMatch(this::isThere);
    }

    private boolean isThere(int server) {
        long until = away.get(server);
        return until == 0 || System.nanoTime() - until >= 0;
    }

    /** The servers are used in turn, without those that are away unless all are. */
    final int next() {
        return Turns.next(turn.getAndIncrement(), servers.size(), there);
    }

    @Override
    public final SquareStream stream(int n) {
        return new RestStream(this, pending, n);
    }

    @Override
    public final MessageLimit streamedMessageLimit() {
        return RestStream.LIMIT;
    }

    /**
     * The addresses of a name in the order in which a new connection tries them: those of IPv6 only if it has no other,
     * because localhost is also ::1, where perhaps no service listens. Reactor Netty's round-robin selection begins at
     * a random one, so that of 100 connections to three services one may have 40.
     */
    static List<? extends SocketAddress> inTurn(List<? extends SocketAddress> addresses, int turn) {
        // Each answer of a name server may have another order.
        List<SocketAddress> ordered = new ArrayList<>(addresses);
        if (ordered.stream().anyMatch(PooledRestClient::isIpv4)) {
            ordered.removeIf(some -> !isIpv4(some));
        }
        ordered.sort(Comparator.comparing(SocketAddress::toString));
        Collections.rotate(ordered, -Math.floorMod(turn, ordered.size()));
        return ordered;
    }

    private static boolean isIpv4(SocketAddress some) {
        return some instanceof InetSocketAddress internet && internet.getAddress() instanceof Inet4Address;
    }

    @Override
    public final Mono<Void> check() {
        return check(settings.urls());
    }

    /** Connects to one of them, and closes the connection again: a request would be counted as a call. */
    static Mono<Void> check(List<URI> urls) {
        return Mono.firstWithValue(urls.stream().map(PooledRestClient::connect).toList())
                .onErrorMap(error -> CallException.unavailable("no square service listens at " + text(urls)))
                .then();
    }

    private static Mono<Boolean> connect(URI url) {
        return TcpClient.newConnection()
                .host(url.getHost())
                .port(port(url))
                .connect()
                .doOnNext(connection -> connection.dispose())
                .thenReturn(true);
    }

    private static String text(List<URI> urls) {
        return urls.stream().map(URI::toString).collect(Collectors.joining(","));
    }

    @Override
    public final Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("urls", text(settings.urls()));
        shown.put("protocol", settings.protocol().text);
        shown.put("connections", settings.connections());
        if (settings.protocol() == RestSettings.Protocol.H2C) {
            shown.put("streams", settings.streams());
        }
        return shown;
    }

    @Override
    public final MessageLimit messageLimit() {
        return HttpMessages.LIMIT;
    }

    @Override
    public final int maxInFlight() {
        return settings.maxInFlight();
    }

    @Override
    public final void stop() {
        super.stop();
        connections.dispose();
        // Disposing of the pool does not close the connections that are in use.
        channels.close();
    }
}
