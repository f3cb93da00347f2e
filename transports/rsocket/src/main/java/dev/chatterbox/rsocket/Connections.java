package dev.chatterbox.rsocket;

import dev.chatterbox.connection.Turns;
import io.netty.channel.ChannelOption;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.transport.netty.client.TcpClientTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.tcp.TcpClient;

/**
 * The connections to square services, one to each address that the services' names have. They are made before a call
 * needs them, and made again within half a second after they break. One that cannot be made is tried again for ever.
 *
 * <p>The library's own {@code reconnect} and {@code LoadbalanceRSocketClient} are not used: both connect only when a
 * call needs a connection, and let calls wait while no square service is there.
 */
public final class Connections {

    /** Finds the addresses of square services; may block. */
    @FunctionalInterface
    interface Lookup {

        /** @throws IOException they cannot be found now: those that were found before stay */
        Set<InetSocketAddress> addresses() throws IOException;
    }

    private static final Logger log = LoggerFactory.getLogger(Connections.class);

    private static final Duration CONNECT = Duration.ofSeconds(2);

    /** A connection that cannot be made is tried again after this time. */
    private static final Duration RETRY = Duration.ofMillis(500);

    /** A new square service behind a name is found within this time plus the JVM's cache time for names, 30 s. */
    private static final Duration LOOKUP = Duration.ofSeconds(5);

    /** The time for calls to finish after their address is gone; much longer than the default deadline. */
    private static final Duration LAST_CALLS = Duration.ofSeconds(30);

    private final String name;
    private final Lookup lookup;
    private final Duration lookupEvery;
    private final Duration lastCalls;
    private final RSocketConnector connector;
    private volatile RSocket[] open = {};
    private volatile Disposable upkeep = Disposables.disposed();
    private long nextLookup = System.nanoTime();

    /** Guarded by this. */
    private final Map<InetSocketAddress, Target> targets = new LinkedHashMap<>();

    private boolean stopped;

    /** @param targets {@code host:port} each */
    public Connections(List<String> targets, RSocketConnector connector) {
        this(String.join(",", targets), lookup(targets), LOOKUP, LAST_CALLS, connector);
    }

    Connections(String name, Lookup lookup, Duration lookupEvery, Duration lastCalls, RSocketConnector connector) {
        this.name = name;
        this.lookup = lookup;
        this.lookupEvery = lookupEvery;
        this.lastCalls = lastCalls;
        this.connector = connector;
    }

    /** Whether the text is {@code host:port}. */
    public static boolean isTarget(String text) {
        try {
            return address(text).getPort() > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * The host and the port of a target. The host name is not resolved.
     *
     * @throws IllegalArgumentException the text is no target
     */
    public static InetSocketAddress address(String target) {
        URI uri = URI.create("tcp://" + target);
        return InetSocketAddress.createUnresolved(uri.getHost(), uri.getPort());
    }

    /** A target whose name has no address now keeps those that it had, and does not hold up the others. */
    private static Lookup lookup(List<String> targets) {
        Map<InetSocketAddress, Set<InetSocketAddress>> found = new LinkedHashMap<>();
        return () -> {
            for (InetSocketAddress named :
                    targets.stream().map(Connections::address).toList()) {
                try {
                    found.put(
                            named,
                            Stream.of(InetAddress.getAllByName(named.getHostString()))
                                    .map(address -> new InetSocketAddress(address, named.getPort()))
                                    .collect(Collectors.toSet()));
                } catch (UnknownHostException e) {
                    log.debug("{} has no address", named, e);
                }
            }
            return found.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        };
    }

    public void start() {
        upkeep = Schedulers.boundedElastic()
                .schedulePeriodically(this::upkeep, 0, RETRY.toMillis(), TimeUnit.MILLISECONDS);
    }

    public void stop() {
        upkeep.dispose();
        RSocket[] last;
        synchronized (this) {
            stopped = true;
            last = open;
            targets.clear();
            takeTurns();
        }
        for (RSocket connection : last) {
            connection.dispose();
        }
    }

    /** The open connection whose turn it is; null where none is open. */
    public @Nullable RSocket next(long turn) {
        RSocket[] current = open;
        if (current.length == 0) {
            return null;
        }
        // One that has ended just now is still among them, and its calls learn of that first.
        RSocket next = current[Turns.next(turn, current.length, index -> !current[index].isDisposed())];
        return next.isDisposed() ? null : next;
    }

    /** A connection that is being made now; an error at once where the last attempt to each address failed. */
    public synchronized Mono<RSocket> opening() {
        return targets.values().stream()
                .filter(target -> !target.failed)
                .map(target -> target.connection)
                .findFirst()
                .orElseGet(() -> Mono.error(new IOException("no connection to " + name)));
    }

    /** All open connections. */
    public List<RSocket> all() {
        return List.of(open);
    }

    private void upkeep() {
        try {
            if (System.nanoTime() - nextLookup >= 0) {
                nextLookup = System.nanoTime() + lookupEvery.toNanos();
                use(lookup.addresses());
            }
        } catch (IOException | RuntimeException e) {
            log.debug("The addresses of {} cannot be found", name, e);
        }
        List<Target> current;
        synchronized (this) {
            current = List.copyOf(targets.values());
        }
        current.forEach(Target::connect);
    }

    private synchronized void use(Set<InetSocketAddress> addresses) {
        if (!stopped) {
            Set<InetSocketAddress> gone = new LinkedHashSet<>(targets.keySet());
            gone.removeAll(addresses);
            gone.forEach(this::retire);
            addresses.forEach(address -> targets.computeIfAbsent(address, Target::new));
        }
    }

    /** Gives a connection whose address is gone no more calls, and closes it when its calls have had their time. */
    private void retire(InetSocketAddress address) {
        log.info("{} has no longer the address {}", name, address);
        RSocket last = targets.remove(address).open;
        takeTurns();
        if (last != null) {
            Schedulers.parallel().schedule(last::dispose, lastCalls.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void takeTurns() {
        open = targets.values().stream()
                .map(target -> target.open)
                .filter(connection -> connection != null && !connection.isDisposed())
                .toArray(RSocket[]::new);
    }

    private final class Target {

        private final InetSocketAddress address;

        /** The open connection or a new one. All calls that come while it is being made wait for the same one. */
        private final Mono<RSocket> connection;

        private volatile @Nullable RSocket open;
        private volatile boolean failed;

        Target(InetSocketAddress address) {
            this.address = address;
            TcpClient client = TcpClient.newConnection()
                    .remoteAddress(() -> address)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT.toMillis());
            connection = connector
                    .connect(TcpClientTransport.create(client))
                    .doOnNext(this::opened)
                    .doOnError(this::failed)
                    .cacheInvalidateIf(RSocket::isDisposed);
        }

        void connect() {
            connection.subscribe(opened -> {}, error -> {});
        }

        private boolean isUsed() {
            synchronized (Connections.this) {
                return targets.get(address) == this;
            }
        }

        private void opened(RSocket connected) {
            failed = false;
            open = connected;
            takeTurns();
            if (!isUsed()) {
                connected.dispose();
                return;
            }
            log.info("Connected to the square service at {}", address);
            connected.onClose().onErrorComplete().doFinally(end -> ended()).subscribe();
        }

        private void ended() {
            takeTurns();
            if (isUsed()) {
                log.info("Disconnected from the square service at {}", address);
            }
        }

        private void failed(Throwable error) {
            if (!failed) {
                failed = true;
                log.warn("No square service answers at {} yet ({}); keeps trying", address, error.getMessage());
            }
        }
    }
}
