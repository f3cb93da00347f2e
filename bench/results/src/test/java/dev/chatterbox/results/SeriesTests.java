package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeriesTests {

    @Test
    void hasMedianNearestRankAndMaximum() {
        assertThat(Series.of(IntStream.rangeClosed(1, 100).mapToDouble(i -> 101 - i)))
                .contains(new Series(50.5, 50, 95, 100));
        assertThat(Series.of(DoubleStream.of(3))).contains(new Series(3, 3, 3, 3));
        assertThat(Series.of(DoubleStream.of(3, 1, 2))).contains(new Series(2, 2, 3, 3));
        assertThat(Series.of(DoubleStream.empty())).isEmpty();
    }
}
