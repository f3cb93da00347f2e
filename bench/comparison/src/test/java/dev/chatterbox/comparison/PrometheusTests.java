package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PrometheusTests {

    private static final String AGGREGATOR = """
            # HELP chatterbox_calls_seconds Calls from sent to replied
            # TYPE chatterbox_calls_seconds histogram
            chatterbox_calls_seconds_count{outcome="ok",transport="a"} 10
            chatterbox_calls_seconds_count{outcome="timeout",transport="a"} 1
            chatterbox_calls_seconds_count{outcome="ok",transport="b"} 777
            chatterbox_inputs_total{outcome="ok",transport="a"} 100.0
            chatterbox_inputs_total{outcome="timeout",transport="a"} 2.0
            chatterbox_inputs_total{outcome="ok",transport="b"} 7777.0
            chatterbox_replies_unmatched_total{transport="a"} 3.0
            chatterbox_replies_unmatched_total{transport="b"} 5.0
            jvm_gc_memory_allocated_bytes_total 1.0E9
            jvm_memory_used_bytes{area="heap",id="G1 Eden Space"} 2.0E8
            jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 4.0E8
            process_uptime_seconds 23.617
            """;

    private static final String RESPONDER = """
            chatterbox_squares_total{outcome="ok",responder="r"} 100.0
            chatterbox_squares_total{outcome="dropped",responder="r"} 2.0
            chatterbox_squares_total{outcome="ok",responder="other"} 7777.0
            chatterbox_faults{fault="delay"} 0.02
            chatterbox_faults{fault="drop"} 0.01
            chatterbox_faults{fault="wrong"} 0.0
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
    void takesWhatBelongsToOneRow() {
        AggregatorReading reading = AggregatorReading.of(Prometheus.parse(AGGREGATOR), "a", null);

        assertThat(reading.uptime()).isEqualTo(23.617);
        assertThat(reading.whole()).containsOnly(Map.entry("ok", 100L), Map.entry("timeout", 2L));
        assertThat(reading.calls()).isEqualTo(102);
        assertThat(reading.messages()).isEqualTo(11);
        assertThat(reading.unmatched()).isEqualTo(3);
        assertThat(reading.allocated()).as("counted, and in Eden since").isEqualTo(1.2e9);
    }

    @Test
    void takesWhatBelongsToOneResponder() {
        ResponderReading reading = ResponderReading.of(Prometheus.parse(RESPONDER), "r");

        assertThat(reading.squares()).as("over all outcomes").isEqualTo(102);
        assertThat(reading.faults()).as("only those that are on").isEqualTo(Map.of("delay", 0.02, "drop", 0.01));
        assertThat(reading.faultText()).isEqualTo("delay 0.02 s, drop 0.01");
        assertThat(reading.allocated()).as("not told").isNull();
        assertThat(ResponderReading.of(Prometheus.parse(""), "r").faultText()).isEmpty();
    }

    @Test
    void countsFromWindowToWindow() {
        Reading earlier = new Reading(
                AggregatorReading.of(Prometheus.parse(AGGREGATOR), "a", null),
                ResponderReading.of(Prometheus.parse(RESPONDER), "r"));
        Reading later = new Reading(
                AggregatorReading.of(
                        Prometheus.parse(AGGREGATOR
                                .replace(
                                        "inputs_total{outcome=\"ok\",transport=\"a\"} 100",
                                        "inputs_total{outcome=\"ok\",transport=\"a\"} 200")
                                .replace("23.617", "28.617")),
                        "a",
                        null),
                ResponderReading.of(Prometheus.parse(RESPONDER.replace("100.0", "200.0")), "r"));

        Reading window = later.since(earlier);

        AggregatorReading aggregator = window.aggregator();
        assertThat(aggregator.uptime()).isCloseTo(5, within(1e-9));
        assertThat(aggregator.callsOf("ok")).isEqualTo(100);
        assertThat(aggregator.whole()).containsOnlyKeys("ok");
        assertThat(window.responder())
                .isNotNull()
                .satisfies(responder -> assertThat(responder.squares()).isEqualTo(100));
    }
}
