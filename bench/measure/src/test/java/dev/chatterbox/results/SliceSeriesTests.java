package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SliceSeriesTests {

    @Test
    void hasMedianNearestRankAndMaximum() {
        assertThat(SliceSeries.of(IntStream.rangeClosed(1, 100).mapToDouble(i -> 101 - i)))
                .contains(new SliceSeries(50.5, 50, 95, 100));
        assertThat(SliceSeries.of(DoubleStream.of(3))).contains(new SliceSeries(3, 3, 3, 3));
        assertThat(SliceSeries.of(DoubleStream.of(3, 1, 2))).contains(new SliceSeries(2, 2, 3, 3));
        assertThat(SliceSeries.of(DoubleStream.empty())).isEmpty();
    }
}
