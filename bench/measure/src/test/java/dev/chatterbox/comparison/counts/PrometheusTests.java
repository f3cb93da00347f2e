package dev.chatterbox.comparison.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrometheusTests {

    @Test
    void readsValuesAndLabels() {
        List<Prometheus.Sample> samples = Prometheus.samples("""
                plain 1
                one{label="a \\"quoted\\", one",other="b\\\\new\\nline"} 2.5E3 1700000000
                none{le="+Inf"} NaN
                most +Inf
                least -Inf
                no sample at all
                """);

        assertThat(samples)
                .extracting(Prometheus.Sample::name)
                .containsExactly("plain", "one", "none", "most", "least");
        assertThat(samples.get(0).value()).isEqualTo(1);
        Prometheus.Sample sample = samples.get(1);
        assertThat(sample.value()).isEqualTo(2500);
        assertThat(sample.label("label")).isEqualTo("a \"quoted\", one");
        assertThat(sample.label("other")).isEqualTo("b\\new\nline");
        assertThat(sample.label("absent")).isEmpty();
        assertThat(samples.get(2).value()).isNaN();
        assertThat(samples.get(3).value()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(samples.get(4).value()).isEqualTo(Double.NEGATIVE_INFINITY);
    }
}
