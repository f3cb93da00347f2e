package dev.chatterbox.aggregator.web;

import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Whether this aggregator is connected after its start: unknown until no variant is down, or {@link #PATIENCE} is over,
 * and up from then on. A variant that stays down, or goes down later, must not keep users from the others. The
 * aggregator's own health does not wait for it, but the group {@code connected} does: a rolling upgrade sends requests
 * to a new aggregator only when it can answer them.
 */
@Component
final class VariantsHealthIndicator implements ReactiveHealthIndicator {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Transports transports;
    private final long patientUntil = System.nanoTime() + PATIENCE.toNanos();
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile boolean connected;

    VariantsHealthIndicator(Transports transports) {
        this.transports = transports;
    }

    /** Answers at once, because a probe has little patience; the variants are asked in the background. */
    @Override
    public Mono<Health> health() {
        if (!connected && System.nanoTime() - patientUntil > 0) {
            connected = true;
        }
        if (!connected && asking.compareAndSet(false, true)) {
            Flux.fromIterable(transports.all())
                    .flatMap(Transport::state)
                    .filter(status -> status.state().state().equals("down"))
                    .count()
                    .doFinally(end -> asking.set(false))
                    .subscribe(down -> connected = connected || down == 0);
        }
        return Mono.just((connected ? Health.up() : Health.unknown()).build());
    }
}
