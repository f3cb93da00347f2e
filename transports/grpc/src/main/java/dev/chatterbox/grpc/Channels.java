package dev.chatterbox.grpc;

import dev.chatterbox.connection.Daemon;
import dev.chatterbox.connection.Turns;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Channels to square services, used in turn. They connect before a call needs them, and connect again for ever. */
public final class Channels {

    private static final Logger log = LoggerFactory.getLogger(Channels.class);

    /** A channel that cannot connect tries again after this time. */
    private static final Duration RETRY = Duration.ofMillis(500);

    /** After so long without a sign of life the other side is asked for one; grpc-java takes no shorter time. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private static final Duration PING_WITHIN = Duration.ofSeconds(3);

    /** Much longer than the time between taking a channel and starting a call on it. */
    private static final Duration LAST_USE = Duration.ofSeconds(2);

    private final Duration maxAge;
    private final List<RenewedChannel> channels;
    private final IntPredicate ready = this::isReady;
    private final ScheduledExecutorService upkeep =
            Executors.newSingleThreadScheduledExecutor(task -> Daemon.thread("grpc-channels", task));

    /**
     * @param targets in the form that grpc-java takes
     * @param perTarget how many channels there are to each target
     * @param maxAge how long a channel is used before another one replaces it
     */
    public Channels(List<String> targets, int perTarget, Duration maxAge) {
        this.maxAge = maxAge;
        channels = targets.stream()
                .flatMap(target -> IntStream.range(0, perTarget).mapToObj(i -> new RenewedChannel(target)))
                .toList();
    }

    /** The library's name and version. */
    public static String version() {
        return "grpc-java " + ManagedChannel.class.getPackage().getImplementationVersion();
    }

    /** A channel that connects when it is used. */
    private static ManagedChannel channel(String target) {
        return NettyChannelBuilder.forTarget(target)
                .usePlaintext()
                // The event loop that read a reply hands it on, instead of a thread of a pool.
                .directExecutor()
                // A connection over which nothing comes back is closed; by default calls on it time out until it is
                // renewed. It pings only while calls wait. A server with grpc-java's defaults would close a connection
                // after several such pings without data: our responder permits them.
                .keepAliveTime(SILENCE.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTimeout(PING_WITHIN.toSeconds(), TimeUnit.SECONDS)
                // With retries it would also send a call again if it believes that no server looked at the first.
                .disableRetry()
                // By default, of several square services behind a name one has all calls of a channel.
                .defaultLoadBalancingPolicy("round_robin")
                .build();
    }

    /** The channel whose turn it is, among those that are connected. The caller must start its call at once. */
    public ManagedChannel next(long turn) {
        return channels.get(Turns.next(turn, channels.size(), ready)).current;
    }

    private boolean isReady(int channel) {
        return channels.get(channel).current.getState(false) == ConnectivityState.READY;
    }

    /** The channels in use. The caller must use each of them at once. */
    public List<ManagedChannel> all() {
        return channels.stream().map(channel -> channel.current).toList();
    }

    public void start() {
        upkeep.scheduleWithFixedDelay(() -> channels.forEach(this::upkeep), 0, RETRY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Catches all exceptions, because an exception would end the upkeep of all channels. */
    private void upkeep(RenewedChannel channel) {
        try {
            channel.upkeep();
        } catch (RuntimeException e) {
            log.error("The channel to {} could not be looked after", channel.target, e);
        }
    }

    public void stop() {
        // The executor still runs the scheduled shutdowns of channels that were replaced a moment ago.
        upkeep.shutdown();
        channels.forEach(RenewedChannel::close);
    }

    /**
     * A channel that is replaced when it has reached {@code maxAge}. The server's maxConnectionAge is not used: without
     * grpc-java's transparent retries, a call fails that starts while the server gives its connection up.
     */
    private final class RenewedChannel {

        private final String target;
        private volatile ManagedChannel current;
        private @Nullable ManagedChannel next;
        private long madeAt = System.nanoTime();
        private boolean closed;

        RenewedChannel(String target) {
            this.target = target;
            current = channel(target);
        }

        synchronized void upkeep() {
            if (closed) {
                return;
            }
            if (current.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
                // By itself it waits for up to two minutes.
                current.resetConnectBackoff();
            }
            ManagedChannel successor = next;
            if (successor == null) {
                if (System.nanoTime() - madeAt >= maxAge.toNanos()) {
                    next = channel(target);
                    next.getState(true);
                    madeAt = System.nanoTime();
                }
                return;
            }
            ConnectivityState state = successor.getState(true);
            if (state == ConnectivityState.READY) {
                ManagedChannel former = current;
                current = successor;
                next = null;
                // shutdown() lets the calls on the former channel finish.
                upkeep.schedule(former::shutdown, LAST_USE.toMillis(), TimeUnit.MILLISECONDS);
            } else if (state == ConnectivityState.TRANSIENT_FAILURE) {
                successor.shutdownNow();
                next = null;
            }
        }

        synchronized void close() {
            closed = true;
            current.shutdownNow();
            if (next != null) {
                next.shutdownNow();
            }
        }
    }
}
