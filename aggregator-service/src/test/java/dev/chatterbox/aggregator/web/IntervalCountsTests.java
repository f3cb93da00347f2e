package dev.chatterbox.aggregator.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class IntervalCountsTests {

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Timer ok = timer("ok");
    private final Timer failed = timer("error");

    @Test
    void seesOnlyWhatCameSince() {
        ok.record(Duration.ofMillis(900));
        IntervalCounts before = IntervalCounts.of(List.of(ok, failed));
        for (int i = 1; i <= 100; i++) {
            ok.record(Duration.ofMillis(i));
        }
        failed.record(Duration.ofMillis(500));
        IntervalCounts interval = IntervalCounts.of(List.of(ok, failed)).since(before);

        assertThat(interval.outcomes()).containsEntry("ok", 100L).containsEntry("error", 1L);
        assertThat(interval.count()).isEqualTo(101);
        assertThat(interval.quantile(0.5)).isCloseTo(0.05, within(0.005));
        assertThat(interval.quantile(0.99)).isCloseTo(0.1, within(0.015));
        assertThat(interval.quantile(1)).isCloseTo(0.5, within(0.05));
    }

    @Test
    void hasNoQuantileWhereNothingEnded() {
        IntervalCounts interval = IntervalCounts.of(List.of(ok));
        assertThat(interval.since(interval).quantile(0.5)).isNull();
    }

    private Timer timer(String outcome) {
        return Timer.builder("test")
                .tag("outcome", outcome)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(100_000))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .register(meters);
    }
}
