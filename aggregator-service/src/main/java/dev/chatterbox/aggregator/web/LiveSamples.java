package dev.chatterbox.aggregator.web;

import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Takes one sample a second, whatever the number of viewers, and keeps the last 15 minutes of them. While there is no
 * viewer, it reads meters but checks no transport.
 */
@Component
class LiveSamples {

    private static final Logger log = LoggerFactory.getLogger(LiveSamples.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int MOST_PAST = 15 * 60;

    private final Transports transports;
    /** Has no buffer of its own: each watcher keeps the latest sample that it has not taken yet. */
    private final Sinks.Many<Sample> latest = Sinks.many().multicast().directBestEffort();

    private final Deque<Sample> past = new ConcurrentLinkedDeque<>();
    private volatile Disposable sampling = Disposables.disposed();

    LiveSamples(Transports transports) {
        this.transports = transports;
    }

    /** The samples of the last 15 minutes in one event called {@code history}, and then each sample as it is taken. */
    Flux<ServerSentEvent<?>> events() {
        return Flux.concat(
                Mono.fromSupplier(() -> ServerSentEvent.builder(List.copyOf(past))
                        .event("history")
                        .build()),
                latest.asFlux()
                        .onBackpressureLatest()
                        .map(sample -> ServerSentEvent.builder(sample).build()));
    }

    @EventListener(ApplicationStartedEvent.class)
    void start() {
        Sampler sampler = new Sampler(transports);
        sampling = Flux.interval(PERIOD)
                // If a check takes longer than a period, a sample is left out, and none waits.
                .onBackpressureDrop()
                .concatMap(tick -> sample(sampler), 1)
                .subscribe(this::publish);
    }

    /** Ends the open pages, which would otherwise hold up the graceful shutdown until it times out. */
    @EventListener(ContextClosedEvent.class)
    void stop() {
        sampling.dispose();
        // A last sample may be on its way to the pages, and the sink takes one signal at a time.
        latest.emitComplete(Sinks.EmitFailureHandler.busyLooping(PERIOD));
    }

    /** Never fails: an error would end the sampling. */
    Mono<Sample> sample(Sampler sampler) {
        return states().map(sampler::sample).onErrorResume(error -> {
            log.error("There is no live sample of this second", error);
            return Mono.empty();
        });
    }

    Mono<Map<String, Transport.Status>> states() {
        return latest.currentSubscriberCount() == 0
                ? Mono.just(Map.of())
                : Flux.fromIterable(transports.all()).flatMap(Transport::state).collectMap(Transport.Status::name);
    }

    void publish(Sample sample) {
        if (past.size() == MOST_PAST) {
            past.removeFirst();
        }
        past.addLast(sample);
        latest.tryEmitNext(sample);
    }
}
