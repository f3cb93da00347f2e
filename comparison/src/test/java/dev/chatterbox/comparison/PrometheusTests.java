package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PrometheusTests {

    private static final String AGGREGATOR = """
            # HELP chatterbox_calls_seconds Calls from sent to replied
            # TYPE chatterbox_calls_seconds histogram
            chatterbox_calls_seconds_bucket{outcome="ok",transport="a",le="0.001"} 10
            chatterbox_calls_seconds_bucket{outcome="ok",transport="a",le="0.002"} 90
            chatterbox_calls_seconds_bucket{outcome="ok",transport="a",le="+Inf"} 100
            chatterbox_calls_seconds_bucket{outcome="timeout",transport="a",le="0.001"} 0
            chatterbox_calls_seconds_bucket{outcome="timeout",transport="a",le="0.002"} 0
            chatterbox_calls_seconds_bucket{outcome="timeout",transport="a",le="+Inf"} 2
            chatterbox_calls_seconds_count{outcome="ok",transport="a"} 100
            chatterbox_calls_seconds_count{outcome="timeout",transport="a"} 2
            chatterbox_calls_seconds_count{outcome="ok",transport="b"} 7777
            chatterbox_calls_seconds_max{outcome="ok",transport="a"} 0.004
            chatterbox_calls_seconds_max{outcome="timeout",transport="a"} 5.001
            chatterbox_replies_unmatched_total{transport="a"} 3.0
            chatterbox_replies_unmatched_total{transport="b"} 5.0
            jvm_gc_memory_allocated_bytes_total 1.0E9
            jvm_memory_used_bytes{area="heap",id="G1 Eden Space"} 2.0E8
            jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 4.0E8
            process_uptime_seconds 23.617
            """;

    private static final String RESPONDER = """
            chatterbox_squares_total{outcome="ok",transport="a"} 100.0
            chatterbox_squares_total{outcome="dropped",transport="a"} 2.0
            """;

    @Test
    void readsValuesAndLabels() {
        Prometheus parsed = Prometheus.parse("""
                plain 1
                one{label="a \\"quoted\\", one",other="b\\\\c"} 2.5E3 1700000000
                none{le="+Inf"} NaN
                no sample at all
                """);

        assertThat(parsed.sum("plain", sample -> true)).isEqualTo(1);
        assertThat(parsed.named("one")).singleElement().satisfies(sample -> {
            assertThat(sample.value()).isEqualTo(2500);
            assertThat(sample.label("label")).isEqualTo("a \"quoted\", one");
            assertThat(sample.label("other")).isEqualTo("b\\c");
            assertThat(sample.label("absent")).isEmpty();
        });
        assertThat(parsed.named("none"))
                .singleElement()
                .satisfies(sample -> assertThat(sample.value()).isNaN());
        assertThat(parsed.named("absent")).isEmpty();
    }

    @Test
    void takesWhatBelongsToOneTransport() {
        Reading reading = Reading.of(Prometheus.parse(AGGREGATOR), Prometheus.parse(RESPONDER), "a");

        assertThat(reading.uptime()).isEqualTo(23.617);
        assertThat(reading.whole()).containsOnly(java.util.Map.entry("ok", 100L), java.util.Map.entry("timeout", 2L));
        assertThat(reading.calls()).isEqualTo(102);
        assertThat(reading.squares()).isEqualTo(102);
        assertThat(reading.unmatched()).isEqualTo(3);
        assertThat(reading.longest()).isEqualTo(5.001);
        assertThat(reading.allocatedByAggregator())
                .as("counted, and in Eden since")
                .isEqualTo(1.2e9);
        assertThat(reading.allocatedByResponder()).as("not told").isNull();
    }

    @Test
    void leavesFailuresInTheLatencies() {
        Reading reading = Reading.of(Prometheus.parse(AGGREGATOR), Prometheus.parse(RESPONDER), "a");

        assertThat(reading.latency().count()).isEqualTo(102);
        assertThat(Latency.of(reading.latency(), reading.longest()).max()).isEqualTo(5.001);
    }

    @Test
    void countsFromWindowToWindow() {
        Reading earlier = Reading.of(Prometheus.parse(AGGREGATOR), Prometheus.parse(RESPONDER), "a");
        Reading later = Reading.of(
                Prometheus.parse(AGGREGATOR
                        .replace("le=\"0.002\"} 90", "le=\"0.002\"} 190")
                        .replace("transport=\"a\",le=\"+Inf\"} 100", "transport=\"a\",le=\"+Inf\"} 200")
                        .replace(
                                "count{outcome=\"ok\",transport=\"a\"} 100",
                                "count{outcome=\"ok\",transport=\"a\"} 200")
                        .replace("23.617", "28.617")),
                Prometheus.parse(RESPONDER.replace("100.0", "200.0")),
                "a");

        Reading window = later.since(earlier);

        assertThat(window.uptime()).isCloseTo(5, within(1e-9));
        assertThat(window.callsOf("ok")).isEqualTo(100);
        assertThat(window.squares()).isEqualTo(100);
        assertThat(window.whole()).containsOnlyKeys("ok");
        assertThat(Latency.of(window.latency(), later.longest()).max())
                .as("the longest of the last minutes was before this window")
                .isEqualTo(0.002);
    }

    @Test
    void interpolatesWithinABucket() {
        Histogram histogram = histogram("0.001", 10, "0.002", 90, "+Inf", 100);

        assertThat(histogram.quantile(0.5, 0.004)).isCloseTo(0.0015, within(1e-9));
        assertThat(histogram.quantile(0.05, 0.004)).isCloseTo(0.0005, within(1e-9));
        assertThat(histogram.quantile(0.95, 0.004)).as("up to the largest").isCloseTo(0.003, within(1e-9));
        assertThat(histogram.quantile(1, 0.004)).isCloseTo(0.004, within(1e-9));
    }

    @Test
    void knowsNothingOfAnEmptyWindow() {
        Histogram empty = histogram("0.001", 0, "+Inf", 0);

        assertThat(empty.quantile(0.5, 1)).isNull();
        assertThat(empty.largest(1)).isNull();
        assertThat(Latency.of(empty, 1)).isEqualTo(Latency.NONE);
    }

    private static Histogram histogram(Object... buckets) {
        return Histogram.of(Stream.iterate(0, i -> i < buckets.length, i -> i + 2)
                .map(i -> "x_bucket{le=\"%s\"} %s".formatted(buckets[i], buckets[i + 1]))
                .flatMap(line -> Prometheus.parse(line).named("x_bucket")));
    }
}
