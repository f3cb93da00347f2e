package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class QuantileTests {

    @Test
    void liesInTheMiddleOfTwoValuesThatBothFit() {
        assertThat(Quantile.of(0.5, DoubleStream.of(4, 1, 3, 2))).isEqualTo(2.5);
        assertThat(Quantile.of(0.25, DoubleStream.of(4, 1, 3, 2))).isEqualTo(1.5);
    }

    @Test
    void isTheOnlyValueThatFits() {
        assertThat(Quantile.of(0.5, DoubleStream.of(3, 1, 2))).isEqualTo(2);
        assertThat(Quantile.of(0.9, DoubleStream.of(1, 2, 3))).isEqualTo(3);
    }

    @Test
    void isNoNumberWithoutValues() {
        assertThat(Quantile.of(0.5, DoubleStream.empty())).isNaN();
    }
}
