package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FormatTests {

    @Test
    void givesThreeDigits() {
        assertThat(List.of(Format.micros(9.994), Format.micros(14.55), Format.micros(101.4), Format.micros(1234)))
                .containsExactly("9.99 µs", "14.6 µs", "101 µs", "1,234 µs");
        assertThat(List.of(Format.rate(0.42), Format.rate(12.3), Format.rate(68_210), Format.rate(1_234_000)))
                .containsExactly("0.4", "12", "68.2 k", "1.23 M");
        assertThat(List.of(Format.seconds(0.00042), Format.seconds(0.0312), Format.seconds(1.2)))
                .containsExactly("420 µs", "31.2 ms", "1.20 s");
        assertThat(List.of(Format.bytes(512), Format.bytes(2_400), Format.bytes(320e6), Format.bytes(1.6e9)))
                .containsExactly("512 B", "2.40 kB", "320 MB", "1.60 GB");
    }

    @Test
    void writesRatiosAndShares() {
        assertThat(List.of(Format.times(1.04), Format.times(1.56), Format.times(6.94), Format.times(45.6)))
                .containsExactly("1.04", "1.6", "6.9", "46");
        assertThat(List.of(Format.percent(0.004), Format.percent(0.043), Format.percent(0.7)))
                .containsExactly("0.4 %", "4 %", "70 %");
    }

    @Test
    void writesNothingForWhatWasNotMeasured() {
        assertThat(List.of(
                        Format.micros(Double.NaN),
                        Format.rate(Double.NaN),
                        Format.seconds(Double.NaN),
                        Format.percent(Double.NaN),
                        Format.times(Double.NaN),
                        Format.bytes(Double.NaN)))
                .containsOnly("–");
    }

    @Test
    void counts() {
        assertThat(Format.counted(1, "call")).isEqualTo("1 call");
        assertThat(Format.counted(1000, "call")).isEqualTo("1,000 calls");
        assertThat(Format.list(List.of())).isEmpty();
        assertThat(Format.list(List.of("a"))).isEqualTo("a");
        assertThat(Format.list(List.of("a", "b", "c"))).isEqualTo("a, b and c");
    }
}
