package dev.chatterbox.aggregator.grpc;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The channels to the square services of a row: connected before they are needed, and made anew for ever. */
final class GrpcLink {

    /** How often the channels are looked after; one that cannot connect tries again as often. */
    private static final Duration TENDING = Duration.ofMillis(500);

    /** Much longer than anybody is between taking a channel and starting a call on it. */
    private static final Duration LAST_USE = Duration.ofSeconds(2);

    private final GrpcSettings settings;
    private final List<RenewedChannel> channels;
    private volatile @Nullable Disposable tending;

    GrpcLink(GrpcSettings settings) {
        this.settings = settings;
        channels = settings.targets().stream()
                .flatMap(target -> IntStream.range(0, settings.channels()).mapToObj(i -> new RenewedChannel(target)))
                .toList();
    }

    /** The one whose turn it is; to be used at once. */
    Channel channel(long turn) {
        return channels.get(channels.size() == 1 ? 0 : Math.floorMod(turn, channels.size())).current;
    }

    boolean connected() {
        return channels.stream().allMatch(channel -> channel.current.getState(false) == ConnectivityState.READY);
    }

    Mono<Void> check() {
        return Mono.firstWithValue(channels.stream()
                        .map(channel -> GrpcMessages.serving(channel.current))
                        .toList())
                .onErrorMap(error -> new CallException(
                        Outcome.UNAVAILABLE, "no square service answers at " + String.join(",", settings.targets())))
                .then();
    }

    void start() {
        tending = Schedulers.parallel()
                .schedulePeriodically(
                        () -> channels.forEach(RenewedChannel::tend), 0, TENDING.toMillis(), TimeUnit.MILLISECONDS);
    }

    void stop() {
        Disposable current = tending;
        if (current != null) {
            current.dispose();
        }
        channels.forEach(RenewedChannel::close);
    }

    /**
     * A channel that another replaces when its age comes. Not the server's maxConnectionAge: without grpc-java's
     * transparent retries, a call that is started at the moment when the connection is given up fails.
     */
    private final class RenewedChannel {

        private final String target;
        private volatile ManagedChannel current;
        private @Nullable ManagedChannel next;
        private long madeAt = System.nanoTime();
        private boolean closed;

        RenewedChannel(String target) {
            this.target = target;
            current = connect();
        }

        private ManagedChannel connect() {
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

        synchronized void tend() {
            if (closed) {
                return;
            }
            if (current.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
                // By itself it waits for up to two minutes.
                current.resetConnectBackoff();
            }
            ManagedChannel successor = next;
            if (successor == null) {
                if (System.nanoTime() - madeAt >= settings.maxAge().toNanos()) {
                    next = connect();
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
                Schedulers.parallel().schedule(former::shutdown, LAST_USE.toMillis(), TimeUnit.MILLISECONDS);
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
