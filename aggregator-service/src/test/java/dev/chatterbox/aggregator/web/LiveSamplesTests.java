package dev.chatterbox.aggregator.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.aggregator.fanout.TestTransports;
import dev.chatterbox.aggregator.fanout.TestWork;
import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import dev.chatterbox.client.ScriptedClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class LiveSamplesTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final AtomicInteger checks = new AtomicInteger();
    private final ScriptedClient client = new ScriptedClient() {
        @Override
        public Mono<Void> check() {
            return Mono.fromRunnable(checks::incrementAndGet);
        }
    };
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Transports transports = TestTransports.of(client, meters);
    private final LiveSamples samples = new LiveSamples(transports);

    @Test
    void aWatcherGetsWhatWasKeptAndThenEachSample() {
        publish(1, 2);
        StepVerifier.create(samples.events())
                .assertNext(event -> {
                    assertThat(event.event()).isEqualTo("history");
                    assertThat(event.data()).isEqualTo(List.of(sample(1), sample(2)));
                })
                .then(() -> publish(3))
                .assertNext(event -> {
                    assertThat(event.event()).isNull();
                    assertThat(event.data()).isEqualTo(sample(3));
                })
                .then(samples::stop)
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void keepsFifteenMinutesAndNoMore() {
        publish(LongStream.rangeClosed(1, 1000).toArray());
        StepVerifier.create(samples.events().take(1))
                .assertNext(event -> assertThat(event.data())
                        .isEqualTo(LongStream.rangeClosed(101, 1000)
                                .mapToObj(LiveSamplesTests::sample)
                                .toList()))
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void aSlowWatcherHoldsUpNobodyAndGetsTheLatestWhenItIsReady() {
        List<Object> seen = new ArrayList<>();
        StepVerifier.create(samples.events(), 1)
                .expectNextCount(1)
                // A viewer that requests nothing more is subscribed to the samples only once it requests again.
                .thenRequest(1)
                .then(() -> {
                    Disposable fast =
                            samples.events().map(ServerSentEvent::data).subscribe(seen::add);
                    publish(IntStream.rangeClosed(1, 500).asLongStream().toArray());
                    fast.dispose();
                })
                .assertNext(event -> assertThat(event.data()).isEqualTo(sample(1)))
                .then(() -> assertThat(seen).hasSize(501).endsWith(sample(499), sample(500)))
                .thenRequest(1)
                .assertNext(event -> assertThat(event.data()).isEqualTo(sample(500)))
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void asksTheTransportsOnlyWhileSomebodyWatches() {
        Sampler sampler = new Sampler(transports);
        Sample unwatched = take(sampler);
        assertThat(checks).hasValue(0);
        assertThat(unwatched.transports().get("scripted").state()).isNull();

        Disposable watcher = samples.events().subscribe();
        assertThat(take(sampler).transports().get("scripted").state()).isEqualTo(new Transport.State("up", null));
        assertThat(checks).hasValue(1);

        watcher.dispose();
        take(sampler);
        assertThat(checks).hasValue(1);
    }

    @Test
    void countsWhatEndedSinceTheSampleBefore() {
        Sampler sampler = new Sampler(transports);
        request();
        request();
        Sample first = take(sampler);
        Sample.VariantSample busy = first.transports().get("scripted");
        assertThat(Math.round(busy.calls() * first.seconds())).isEqualTo(2);
        assertThat(busy.outcomes()).containsOnlyKeys("ok");
        assertThat(busy.ofCalls().p50()).isPositive();
        assertThat(busy.ofRequests().p99()).isBetween(busy.ofCalls().p50(), PATIENCE.toSeconds() * 1.0);

        Sample second = take(sampler);
        Sample.VariantSample idle = second.transports().get("scripted");
        assertThat(idle.calls()).isZero();
        assertThat(idle.ofCalls().p50()).isNull();
        assertThat(idle.outcomes()).isEmpty();

        request();
        Sample third = take(sampler);
        assertThat(Math.round(third.transports().get("scripted").requests() * third.seconds()))
                .isEqualTo(1);
    }

    /** What ends between two readings of one sample is in both, or in neither. */
    @Test
    void noQuantileIsLongerThanAnyCall() {
        Sampler sampler = new Sampler(transports);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            while (!ended.get()) {
                request();
            }
        });

        List<Double> quantiles = IntStream.range(0, 500)
                .mapToObj(i ->
                        take(sampler).transports().get("scripted").ofCalls().p99())
                .filter(Objects::nonNull)
                .toList();
        ended.set(true);

        assertThat(load).succeedsWithin(PATIENCE);
        assertThat(quantiles)
                .isNotEmpty()
                .allSatisfy(quantile -> assertThat(quantile).isLessThan(10));
    }

    @Test
    void aSampleThatFailsIsLeftOut() {
        Sampler sampler = new Sampler(transports);
        StepVerifier.create(
                        new LiveSamples(transports) {
                            @Override
                            Mono<Map<String, Transport.Status>> states() {
                                return Mono.error(new IllegalStateException("broken"));
                            }
                        }.sample(sampler))
                .expectComplete()
                .verify(PATIENCE);
    }

    private void request() {
        CompletableFuture<long[]> request = transports
                .find("scripted")
                .squares(TestWork.unary(1, 0), () -> null)
                .toFuture();
        client.calls.remove().right();
        assertThat(request).succeedsWithin(PATIENCE);
    }

    private Sample take(Sampler sampler) {
        return samples.sample(sampler).block(PATIENCE);
    }

    private void publish(long... times) {
        LongStream.of(times).mapToObj(LiveSamplesTests::sample).forEach(samples::publish);
    }

    private static Sample sample(long time) {
        return new Sample(time, 1, new Sample.ProcessSample(0, 1, 0), Map.of());
    }
}
