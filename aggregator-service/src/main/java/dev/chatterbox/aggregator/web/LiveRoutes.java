package dev.chatterbox.aggregator.web;

import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The live page, and {@code GET /live}: what it draws, one sample a second. However many watch, one of them is taken. */
@Configuration(proxyBeanMethods = false)
class LiveRoutes {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Transports transports;
    private final MeterRegistry meters;
    private final Sinks.Empty<Void> closing = Sinks.empty();
    private final Flux<Sample> samples;

    LiveRoutes(Transports transports, MeterRegistry meters) {
        this.transports = transports;
        this.meters = meters;
        samples = Flux.defer(this::sampling).share();
    }

    /**
     * @param time milliseconds since the epoch
     * @param seconds how long a time it covers
     */
    record Sample(long time, double seconds, Process process, Map<String, Figures> transports) {}

    /** @param cpu cores used by this process */
    record Process(double cpu, int cpus, long heapBytes) {}

    /**
     * Rates are per second, latencies are seconds.
     *
     * @param waiting requests that wait for a place for their next call
     */
    record Figures(
            String state,
            @Nullable String reason,
            double requests,
            double calls,
            int inFlight,
            int waiting,
            @Nullable Double callP50,
            @Nullable Double callP99,
            @Nullable Double requestP50,
            @Nullable Double requestP99,
            Map<String, Double> outcomes) {}

    @Bean
    RouterFunction<ServerResponse> livePage() {
        Resource page = new ClassPathResource("static/index.html");
        return RouterFunctions.route()
                .GET(
                        "/",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.TEXT_HTML)
                                .bodyValue(page))
                .GET(
                        "/live",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.TEXT_EVENT_STREAM)
                                .body(samples.takeUntilOther(closing.asMono()), Sample.class))
                .build();
    }

    /** An open page would hold up the graceful shutdown until it times out. */
    @EventListener(ContextClosedEvent.class)
    void close() {
        closing.tryEmitEmpty();
    }

    private Flux<Sample> sampling() {
        Sampler sampler = new Sampler();
        return Flux.interval(PERIOD)
                // A check that takes longer than a period costs a sample, not a queue of them.
                .onBackpressureDrop()
                .concatMap(tick -> states().map(sampler::sample), 1);
    }

    private Mono<List<Transport.State>> states() {
        return Flux.fromIterable(transports.all()).flatMap(Transport::state).collectList();
    }

    /** Remembers what the sample before saw. Used by one sample at a time. */
    private final class Sampler {

        private long nanos = System.nanoTime();
        private double cpuNanos = cpuNanos();
        private final Map<String, Window> calls = windows("chatterbox.calls");
        private final Map<String, Window> requests = windows("chatterbox.requests");

        Sample sample(List<Transport.State> states) {
            long nowNanos = System.nanoTime();
            double nowCpu = cpuNanos();
            double seconds = (nowNanos - nanos) / 1e9;
            double cpu = (nowCpu - cpuNanos) / (nowNanos - nanos);
            nanos = nowNanos;
            cpuNanos = nowCpu;
            Map<String, Figures> figures = new LinkedHashMap<>();
            for (Transport transport : transports.all()) {
                states.stream()
                        .filter(state -> state.name().equals(transport.name()))
                        .forEach(state -> figures.put(transport.name(), figures(transport, state, seconds)));
            }
            Runtime runtime = Runtime.getRuntime();
            return new Sample(
                    System.currentTimeMillis(),
                    seconds,
                    new Process(cpu, runtime.availableProcessors(), runtime.totalMemory() - runtime.freeMemory()),
                    figures);
        }

        private Figures figures(Transport transport, Transport.State state, double seconds) {
            Window call = advance(calls, "chatterbox.calls", transport.name());
            Window request = advance(requests, "chatterbox.requests", transport.name());
            Map<String, Double> outcomes = new LinkedHashMap<>();
            call.outcomes().forEach((outcome, count) -> {
                if (count > 0) {
                    outcomes.put(outcome, count / seconds);
                }
            });
            return new Figures(
                    state.state(),
                    state.reason(),
                    request.count() / seconds,
                    call.count() / seconds,
                    transport.inFlight(),
                    transport.waiting(),
                    call.quantile(0.5),
                    call.quantile(0.99),
                    request.quantile(0.5),
                    request.quantile(0.99),
                    outcomes);
        }

        private Window advance(Map<String, Window> windows, String metric, String transport) {
            Window now = window(metric, transport);
            Window before = windows.put(transport, now);
            return before == null ? now : now.since(before);
        }

        private Map<String, Window> windows(String metric) {
            Map<String, Window> windows = new LinkedHashMap<>();
            transports.all().forEach(transport -> windows.put(transport.name(), window(metric, transport.name())));
            return windows;
        }

        private Window window(String metric, String transport) {
            return Window.of(meters.find(metric).tag("transport", transport).timers());
        }

        private double cpuNanos() {
            return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                    ? os.getProcessCpuTime()
                    : 0;
        }
    }
}
