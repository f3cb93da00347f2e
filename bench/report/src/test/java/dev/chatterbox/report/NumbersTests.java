package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumbersTests {

    @Test
    void givesThreeDigits() {
        assertThat(List.of(
                        Numbers.micros(0.1234),
                        Numbers.micros(9.994),
                        Numbers.micros(14.55),
                        Numbers.micros(101.4),
                        Numbers.micros(1234)))
                .containsExactly("0.123 µs", "9.99 µs", "14.6 µs", "101 µs", "1,234 µs");
        assertThat(List.of(Numbers.rate(0.42), Numbers.rate(12.3), Numbers.rate(68_210), Numbers.rate(1_234_000)))
                .containsExactly("0.4", "12", "68.2 k", "1.23 M");
        assertThat(List.of(Numbers.seconds(0.00042), Numbers.seconds(0.0312), Numbers.seconds(1.2)))
                .containsExactly("420 µs", "31.2 ms", "1.20 s");
        assertThat(List.of(Numbers.bytes(512), Numbers.bytes(2_400), Numbers.bytes(320e6), Numbers.bytes(1.6e9)))
                .containsExactly("512 B", "2.40 kB", "320 MB", "1.60 GB");
    }

    @Test
    void writesRatiosAndShares() {
        assertThat(List.of(Numbers.times(1.04), Numbers.times(1.56), Numbers.times(6.94), Numbers.times(45.6)))
                .containsExactly("1.04", "1.6", "6.9", "46");
        assertThat(List.of(Numbers.percent(0.004), Numbers.percent(0.043), Numbers.percent(0.7)))
                .containsExactly("0.4 %", "4 %", "70 %");
    }

    @Test
    void keepsTheSecondDecimalOfARatio() {
        assertThat(List.of(Numbers.ratio(0.519), Numbers.ratio(1.984), Numbers.ratio(12.41), Numbers.ratio(0.05)))
                .containsExactly("0.52", "1.98", "12.4", "0.05");
    }

    @Test
    void leavesOutTheSpaceWhereThereIsNoRoomForIt() {
        assertThat(Numbers.tight(Numbers.seconds(0.0312))).isEqualTo("31.2ms");
        assertThat(Numbers.tight(Numbers.rate(68_210))).isEqualTo("68.2k");
    }

    @Test
    void writesNothingForWhatWasNotMeasured() {
        assertThat(List.of(
                        Numbers.micros(Double.NaN),
                        Numbers.rate(Double.NaN),
                        Numbers.seconds(Double.NaN),
                        Numbers.percent(Double.NaN),
                        Numbers.times(Double.NaN),
                        Numbers.ratio(Double.NaN),
                        Numbers.digits(Double.NaN),
                        Numbers.bytes(Double.NaN)))
                .containsOnly("–");
    }

    @Test
    void counts() {
        assertThat(Numbers.counted(1, "call")).isEqualTo("1 call");
        assertThat(Numbers.counted(1000, "call")).isEqualTo("1,000 calls");
    }
}
