package dev.chatterbox.report.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class LeastSquaresTests {

    @Test
    void findsTheCoefficientsOfWhatHasNoNoise() {
        List<double[]> terms =
                List.of(new double[] {1, 0, 3}, new double[] {2, 5, 1}, new double[] {1, 1, 1}, new double[] {7, 2, 9});
        double[] observed = terms.stream()
                .mapToDouble(term -> 0.5 * term[0] + 2 * term[1] + 0.001 * term[2])
                .toArray();

        assertThat(LeastSquares.fit(terms, observed)).containsExactly(new double[] {0.5, 2, 0.001}, within(1e-4));
    }

    @Test
    void hasNoCostBelowNothing() {
        List<double[]> terms = List.of(new double[] {1, 1}, new double[] {1, 2}, new double[] {1, 3});

        double[] fitted = LeastSquares.fit(terms, new double[] {10, 9, 8});

        assertThat(fitted[1]).isZero();
        assertThat(fitted[0]).isBetween(8.0, 10.0);
    }

    @Test
    void ignoresATermThatIsNeverThereAndEndsWhereTwoAreTheSame() {
        List<double[]> terms = List.of(new double[] {1, 1, 0}, new double[] {2, 2, 0}, new double[] {3, 3, 0});

        double[] fitted = LeastSquares.fit(terms, new double[] {4, 8, 12});

        assertThat(fitted[0] + fitted[1]).isCloseTo(4, within(1e-4));
        assertThat(fitted[2]).isZero();
    }
}
