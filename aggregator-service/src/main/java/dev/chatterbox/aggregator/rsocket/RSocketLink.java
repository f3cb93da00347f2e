package dev.chatterbox.aggregator.rsocket;

import dev.chatterbox.aggregator.client.CallException;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.frame.decoder.PayloadDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The connections to the square services of a row, one to each address that the names of its targets have: made before
 * they are needed, and made anew for ever. Not by the library's own {@code reconnect}, which connects when a call asks
 * for it, and lets calls wait for as long as nobody is there.
 */
final class RSocketLink {

    private static final Logger log = LoggerFactory.getLogger(RSocketLink.class);

    /** How often the connections are looked after; one that cannot be made is tried again as often. */
    private static final Duration TENDING = Duration.ofMillis(500);

    /** A square service that joins behind a name is found within this time, and the JVM's own for names: 30 s. */
    private static final Duration LOOKUP = Duration.ofSeconds(5);

    private static final Duration CHECK = Duration.ofSeconds(2);

    private final List<String> targets;
    private final RSocketConnector connector;
    private final Map<InetSocketAddress, LastingConnection> connections = new ConcurrentHashMap<>();
    private volatile RSocket[] inTurn = {};
    private volatile Set<InetSocketAddress> addresses = Set.of();
    private volatile boolean stopped;
    private long lookedUpAt;
    private volatile @Nullable Disposable tending;

    RSocketLink(RSocketSettings settings) {
        targets = settings.targets();
        connector = RSocketConnector.create()
                // What comes is not copied before it is looked at, but must be released then.
                .payloadDecoder(PayloadDecoder.ZERO_COPY)
                .metadataMimeType(RSocketMessages.METADATA)
                .keepAlive(settings.keepAlive(), settings.maxLifetime());
    }

    /** The open connection whose turn it is; null where there is none. */
    @Nullable
    RSocket open(long turn) {
        RSocket[] current = inTurn;
        while (current.length > 0) {
            RSocket one = current[current.length == 1 ? 0 : (int) Math.floorMod(turn, (long) current.length)];
            if (!one.isDisposed()) {
                return one;
            }
            // It has ended just now, and its calls are told before this is.
            connections.values().forEach(connection -> connection.ended(one));
            current = inTurn;
        }
        return null;
    }

    /** A connection that is being made now; an error at once where none is, or the last attempt failed. */
    Mono<RSocket> opening() {
        return connections.values().stream()
                .map(LastingConnection::attempt)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(this::opened);
    }

    /** One that was made while the attempts were looked at. */
    private Mono<RSocket> opened() {
        RSocket[] current = inTurn;
        return current.length > 0 ? Mono.just(current[0]) : Mono.error(unavailable());
    }

    private CallException unavailable() {
        return stopped
                ? CallException.stopping()
                : RSocketMessages.unavailable("no connection to " + String.join(",", targets));
    }

    boolean connected() {
        return !addresses.isEmpty()
                && connections.entrySet().stream()
                        .filter(one -> addresses.contains(one.getKey()))
                        .allMatch(one -> one.getValue().current() != null);
    }

    /** Asks each over its connection, until one says that it is well. */
    Mono<Void> check() {
        RSocket[] current = inTurn;
        if (current.length == 0) {
            return Mono.error(unavailable());
        }
        return Mono.firstWithValue(
                        Arrays.stream(current).map(RSocketLink::isWell).toList())
                .onErrorMap(error -> RSocketMessages.unavailable("asked at " + String.join(",", targets)))
                .then();
    }

    private static Mono<Boolean> isWell(RSocket connection) {
        return Mono.defer(() -> connection.requestResponse(RSocketMessages.health()))
                .doOnNext(Payload::release)
                .timeout(CHECK)
                .then(Mono.just(true));
    }

    void start() {
        // Looking up a name holds its thread.
        tending = Schedulers.boundedElastic()
                .schedulePeriodically(this::tend, 0, TENDING.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void tend() {
        if (addresses.isEmpty() || System.nanoTime() - lookedUpAt >= LOOKUP.toNanos()) {
            lookUp();
        }
        connections.forEach((address, connection) -> {
            if (addresses.contains(address)) {
                connection.tend();
            }
        });
    }

    /** Where that fails, the addresses that were known stay. */
    private void lookUp() {
        try {
            Stream.Builder<InetSocketAddress> found = Stream.builder();
            for (String target : targets) {
                RSocketTarget parts = RSocketTarget.of(target);
                for (InetAddress address : InetAddress.getAllByName(parts.host())) {
                    found.add(new InetSocketAddress(address, parts.port()));
                }
            }
            Set<InetSocketAddress> all = Set.copyOf(found.build().toList());
            all.forEach(address -> connections.computeIfAbsent(
                    address, added -> new LastingConnection(added, connector, this::takeTurns)));
            addresses = all;
            lookedUpAt = System.nanoTime();
        } catch (UnknownHostException e) {
            log.debug("A name of {} has no address", targets, e);
        }
    }

    /** One whose address no name has any more is used for as long as it lasts. */
    private synchronized void takeTurns() {
        inTurn = connections.values().stream()
                .map(LastingConnection::current)
                .filter(Objects::nonNull)
                .toArray(RSocket[]::new);
    }

    void stop() {
        stopped = true;
        Disposable current = tending;
        if (current != null) {
            current.dispose();
        }
        connections.values().forEach(LastingConnection::stop);
    }
}
