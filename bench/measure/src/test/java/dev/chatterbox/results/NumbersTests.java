package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumbersTests {

    @Test
    void givesThreeDigits() {
        assertThat(List.of(
                        Numbers.digits(0.1234),
                        Numbers.digits(9.994),
                        Numbers.digits(14.55),
                        Numbers.digits(101.4),
                        Numbers.digits(1234)))
                .containsExactly("0.123", "9.99", "14.6", "101", "1,234");
        assertThat(List.of(Numbers.rate(0.42), Numbers.rate(12.3), Numbers.rate(68_210), Numbers.rate(1_234_000)))
                .containsExactly("0.4", "12", "68.2 k", "1.23 M");
        assertThat(List.of(Numbers.seconds(0.00042), Numbers.seconds(0.0312), Numbers.seconds(1.2)))
                .containsExactly("420 µs", "31.2 ms", "1.20 s");
        assertThat(List.of(Numbers.bytes(512), Numbers.bytes(2_400), Numbers.bytes(320e6), Numbers.bytes(1.6e9)))
                .containsExactly("512 B", "2.40 kB", "320 MB", "1.60 GB");
    }

    @Test
    void writesDurations() {
        assertThat(List.of(Numbers.time(0.26), Numbers.time(59.4), Numbers.time(61), Numbers.time(90_300)))
                .containsExactly("0 s", "59 s", "1 min 01 s", "25 h 05 min");
    }

    @Test
    void writesRatiosAndParts() {
        assertThat(List.of(Numbers.percent(0.004), Numbers.percent(0.043), Numbers.percent(0.7)))
                .containsExactly("0.4 %", "4.3 %", "70 %");
        assertThat(List.of(Numbers.ratio(0.519), Numbers.ratio(1.984), Numbers.ratio(12.41), Numbers.ratio(0.05)))
                .containsExactly("0.52", "1.98", "12.4", "0.05");
    }

    @Test
    void writesAnIntervalWhereThereIsOne() {
        assertThat(Numbers.withInterval(new Estimate(5.83, 5.61, 6.06, List.of()), Numbers::digits))
                .isEqualTo("5.83 [5.61–6.06]");
        assertThat(Numbers.withInterval(Estimate.of(5.83, List.of()), Numbers::digits))
                .isEqualTo("5.83");
    }

    @Test
    void writesNothingForWhatWasNotMeasured() {
        assertThat(List.of(
                        Numbers.rate(Double.NaN),
                        Numbers.seconds(Double.NaN),
                        Numbers.percent(Double.NaN),
                        Numbers.ratio(Double.NaN),
                        Numbers.digits(Double.NaN),
                        Numbers.bytes(Double.NaN)))
                .containsOnly("–");
    }

    @Test
    void countsAndLists() {
        assertThat(Numbers.counted(1, "call")).isEqualTo("1 call");
        assertThat(Numbers.counted(1000, "call")).isEqualTo("1,000 calls");
        assertThat(List.of(
                        Numbers.listed(List.of()),
                        Numbers.listed(List.of("a")),
                        Numbers.listed(List.of("a", "b")),
                        Numbers.listed(List.of("a", "b", "c"))))
                .containsExactly("", "a", "a and b", "a, b and c");
    }
}
