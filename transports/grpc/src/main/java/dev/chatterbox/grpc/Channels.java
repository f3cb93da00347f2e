package dev.chatterbox.grpc;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Channels to square services, to be used in turn: connected before they are needed, and made anew for ever. */
public final class Channels {

    private static final Logger log = LoggerFactory.getLogger(Channels.class);

    /** A channel that cannot connect tries again so often. */
    private static final Duration RETRY = Duration.ofMillis(500);

    /** Much longer than anybody is between taking a channel and starting a call on it. */
    private static final Duration LAST_USE = Duration.ofSeconds(2);

    private final Duration maxAge;
    private final List<RenewedChannel> channels;
    private final ScheduledExecutorService upkeep = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "grpc-channels");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * @param targets as grpc-java names them
     * @param perTarget how many channels there are to each target
     * @param maxAge how long a channel is used before another takes its place
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

    private static ManagedChannel connect(String target) {
        return NettyChannelBuilder.forTarget(target)
                .usePlaintext()
                // Replies are handed on by the event loop that read them, instead of a thread of a pool.
                .directExecutor()
                // It would also send a call again of itself where it believes that the first was not looked at.
                .disableRetry()
                // By default, of several square services behind a name one has all calls of a channel.
                .defaultLoadBalancingPolicy("round_robin")
                .build();
    }

    /** The channel whose turn it is; to be used at once. */
    public ManagedChannel next(long turn) {
        return channels.get(channels.size() == 1 ? 0 : Math.floorMod(turn, channels.size())).current;
    }

    /** The channels that are used now; each to be used at once. */
    public List<ManagedChannel> all() {
        return channels.stream().map(channel -> channel.current).toList();
    }

    public void start() {
        upkeep.scheduleWithFixedDelay(() -> channels.forEach(this::upkeep), 0, RETRY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What is thrown here would end the upkeep of all channels. */
    private void upkeep(RenewedChannel channel) {
        try {
            channel.upkeep();
        } catch (RuntimeException e) {
            log.error("The channel to {} could not be looked after", channel.target, e);
        }
    }

    public void stop() {
        // Channels that were replaced a moment ago are still shut down.
        upkeep.shutdown();
        channels.forEach(RenewedChannel::close);
    }

    /**
     * A channel that another replaces when it has reached its age. Not the server's maxConnectionAge: without
     * grpc-java's transparent retries, a call that is started at the moment when the connection is given up fails.
     */
    private final class RenewedChannel {

        private final String target;
        private volatile ManagedChannel current;
        private @Nullable ManagedChannel next;
        private long madeAt = System.nanoTime();
        private boolean closed;

        RenewedChannel(String target) {
            this.target = target;
            current = connect(target);
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
                    next = connect(target);
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
                // Its calls end as they would.
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
