package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.rows.Row;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.TcpClient;

/**
 * The square services of a row and the connections to them, for whichever client of Reactor Netty sends the requests.
 */
final class RestServers {

    private static final String PATH = "/api/square/";

    /** A square has 19 digits at most. */
    private static final int LONGEST_BODY = 64;

    /**
     * One square service.
     *
     * @param http its host and port are set, so that a request's URI is a path
     * @param path up to the name of the exchange, with a slash at its end
     */
    record Server(HttpClient http, String path) {}

    private final RestSettings settings;
    private final ConnectionProvider connections;
    /** Closes also what is added after its own closing. */
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    private final List<Server> servers;

    RestServers(Row row, RestSettings settings) {
        this.settings = settings;
        ConnectionProvider.Builder pool = ConnectionProvider.builder("square-" + row.name())
                .maxConnections(settings.connections())
                // Without a bound: the fan-out sends what there are connections for. Those of cancelled calls are
                // closed a
                // moment later, so where many clients go away at once, others' calls wait here, and must not be
                // refused.
                .pendingAcquireMaxCount(-1)
                // A call's own deadline covers it; a timer here would be a task a call.
                .pendingAcquireTimeout(Duration.ZERO)
                // The one used last is the one least likely to have been closed by the other side.
                .lifo()
                .maxIdleTime(Duration.ofSeconds(30))
                // A square service that joins behind the same name gets its share as connections are made anew, not all
                // at once.
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
        connections = pool.build();
        HttpClient http = HttpClient.create(connections)
                .protocol(settings.protocol().library())
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
        servers = settings.urls().stream().map(url -> server(http, url)).toList();
    }

    private static Server server(HttpClient http, URI url) {
        HttpClient ofServer = http.host(url.getHost()).port(port(url));
        return new Server(
                isSecure(url) ? ofServer.secure() : ofServer, url.getRawPath().replaceAll("/+$", "") + PATH);
    }

    /** To be used in turn. */
    List<Server> all() {
        return servers;
    }

    int maxInFlight() {
        return settings.connections() * settings.streams() * settings.urls().size();
    }

    static CallException errorReply(int status) {
        return new CallException(Outcome.ERROR, "an error reply: status " + status);
    }

    static CallException notANumber() {
        return new CallException(Outcome.ERROR, "a reply that is not a JSON number");
    }

    /**
     * The parts of a body that came so far.
     *
     * @throws CallException they are longer than any square, so that a body without an end is not gathered until the
     *     deadline
     */
    static String joined(String begun, String part) {
        if (begun.length() + part.length() > LONGEST_BODY) {
            throw notANumber();
        }
        return begun.concat(part);
    }

    /**
     * Adds a part of a body to those that came so far.
     *
     * @throws CallException it is longer than any that is read
     */
    static void join(ByteArrayOutputStream begun, byte[] part) {
        if (begun.size() + part.length > RestMessages.MOST_BYTES) {
            throw new CallException(
                    Outcome.ERROR, "a reply that is not %d bytes at the most".formatted(RestMessages.MOST_BYTES));
        }
        begun.writeBytes(part);
    }

    /** WebClient wraps what goes wrong, before the reply as a WebClientRequestException. */
    static CallException callException(Throwable error) {
        Throwable cause = error instanceof WebClientException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof CallException known) {
            return known;
        }
        return error instanceof WebClientRequestException || cause instanceof IOException
                ? new CallException(Outcome.UNAVAILABLE, "no square service answers: " + cause.getMessage())
                : new CallException(Outcome.ERROR, "a reply that cannot be read: " + cause.getMessage());
    }

    /** Connects, and no more: a request would be counted as a call. */
    Mono<Void> check() {
        return Mono.firstWithValue(
                        settings.urls().stream().map(RestServers::connect).toList())
                .onErrorMap(error ->
                        new CallException(Outcome.UNAVAILABLE, "no square service listens at " + settings.urls()))
                .then();
    }

    /** Connects, and closes the connection again. */
    static Mono<Boolean> connect(URI url) {
        return TcpClient.newConnection()
                .host(url.getHost())
                .port(port(url))
                .connect()
                .doOnNext(connection -> connection.dispose())
                .thenReturn(true);
    }

    private static int port(URI url) {
        return url.getPort() > 0 ? url.getPort() : isSecure(url) ? 443 : 80;
    }

    private static boolean isSecure(URI url) {
        return "https".equals(url.getScheme());
    }

    Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put(
                "urls",
                String.join(",", settings.urls().stream().map(URI::toString).toList()));
        shown.put("protocol", settings.protocol().text());
        shown.put("connections", settings.connections());
        if (settings.protocol() == RestSettings.Protocol.H2C) {
            shown.put("streams", settings.streams());
        }
        shown.put("bodies", "JSON; with a payload protobuf; of streams lines of JSON");
        shown.put("delivery", "direct, at most once");
        return shown;
    }

    void close() {
        connections.dispose();
        // The pool leaves the connections alone that are in use.
        channels.close();
    }
}
