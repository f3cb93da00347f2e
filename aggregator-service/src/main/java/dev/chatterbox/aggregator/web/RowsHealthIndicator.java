package dev.chatterbox.aggregator.web;

import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Whether this aggregator is connected after its start: unknown until no row is down, or {@link #PATIENCE} is over, and
 * up from then on. A row that stays down, or goes down later, must not keep users from the others. The aggregator's own
 * health does not wait for it, but the group {@code connected} does: a rolling upgrade sends requests to a new aggregator
 * only when it can answer them.
 */
@Component
final class RowsHealthIndicator implements ReactiveHealthIndicator {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Transports transports;
    private final long patientUntil = System.nanoTime() + PATIENCE.toNanos();
    private volatile boolean connected;

    RowsHealthIndicator(Transports transports) {
        this.transports = transports;
    }

    @Override
    public Mono<Health> health() {
        return connected
                ? up()
                : Flux.fromIterable(transports.all())
                        .flatMap(Transport::state)
                        .all(status -> !status.state().equals("down"))
                        .flatMap(all -> {
                            connected = all || System.nanoTime() - patientUntil > 0;
                            return connected ? up() : Mono.just(Health.unknown().build());
                        });
    }

    private static Mono<Health> up() {
        return Mono.just(Health.up().build());
    }
}
