package dev.chatterbox.comparison.counts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrometheusTests {

    @Test
    void readsValuesAndLabels() {
        Prometheus parsed = Prometheus.parse("""
                plain 1
                one{label="a \\"quoted\\", one",other="b\\\\new\\nline"} 2.5E3 1700000000
                none{le="+Inf"} NaN
                no sample at all
                """);

        assertThat(parsed.sum("plain", sample -> true)).isEqualTo(1);
        assertThat(parsed.named("one")).singleElement().satisfies(sample -> {
            assertThat(sample.value()).isEqualTo(2500);
            assertThat(sample.label("label")).isEqualTo("a \"quoted\", one");
            assertThat(sample.label("other")).isEqualTo("b\\new\nline");
            assertThat(sample.label("absent")).isEmpty();
        });
        assertThat(parsed.named("none"))
                .singleElement()
                .satisfies(sample -> assertThat(sample.value()).isNaN());
        assertThat(parsed.named("absent")).isEmpty();
    }
}
