package dev.chatterbox.report.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeastSquaresTests {

    @Test
    void findsTheCoefficientsOfWhatHasNoNoise() {
        List<double[]> terms =
                List.of(new double[] {1, 0, 3}, new double[] {2, 5, 1}, new double[] {1, 1, 1}, new double[] {7, 2, 9});
        double[] observed = terms.stream()
                .mapToDouble(term -> 0.5 * term[0] + 2 * term[1] + 0.001 * term[2])
                .toArray();

        assertThat(LeastSquares.fit(terms, observed).coefficients())
                .containsExactly(new double[] {0.5, 2, 0.001}, within(1e-4));
    }

    @Test
    void hasNoCostBelowNothing() {
        List<double[]> terms = List.of(new double[] {1, 1}, new double[] {1, 2}, new double[] {1, 3});

        double[] fitted = LeastSquares.fit(terms, new double[] {10, 9, 8}).coefficients();

        assertThat(fitted[1]).isZero();
        assertThat(fitted[0]).isBetween(8.0, 10.0);
    }

    @Test
    void ignoresATermThatIsNeverThereAndEndsWhereTwoAreTheSame() {
        List<double[]> terms = List.of(new double[] {1, 1, 0}, new double[] {2, 2, 0}, new double[] {3, 3, 0});

        LeastSquares fit = LeastSquares.fit(terms, new double[] {4, 8, 12});
        double[] fitted = fit.coefficients();

        assertThat(fitted[0] + fitted[1]).isCloseTo(4, within(1e-4));
        assertThat(fitted[2]).isZero();
    }

    @Test
    void holdsTheTrueCoefficientsInItsIntervals() {
        Random random = new Random(3);
        int held = 0;
        for (int run = 0; run < 500; run++) {
            List<double[]> terms = IntStream.range(0, 12)
                    .mapToObj(i -> new double[] {1 + random.nextDouble(), 3 * random.nextDouble()})
                    .toList();
            double[] observed = terms.stream()
                    .mapToDouble(term -> (2 * term[0] + 3 * term[1]) * (1 + 0.1 * random.nextGaussian()))
                    .toArray();
            LeastSquares fit = LeastSquares.fit(terms, observed);
            held += Math.abs(fit.coefficients()[0] - 2) < fit.within()[0] ? 1 : 0;
            held += Math.abs(fit.coefficients()[1] - 3) < fit.within()[1] ? 1 : 0;
        }

        assertThat(held / 1000.0).isGreaterThan(0.96);
    }

    @Test
    void tellsHowWellTermsCanBeToldApart() {
        double[] observed = {3, 5, 4, 8};
        List<double[]> apart =
                List.of(new double[] {3, 0}, new double[] {5, 0}, new double[] {0, 4}, new double[] {0, 8});
        List<double[]> near = List.of(
                new double[] {1.5, 1.5}, new double[] {2.5, 2.52}, new double[] {2, 2.01}, new double[] {4, 3.99});

        assertThat(LeastSquares.fit(apart, observed).condition()).isCloseTo(1, within(1e-6));
        assertThat(SymmetricEigen.of(new double[][] {{1, 0.9998}, {0.9998, 1}}).condition())
                .isCloseTo(100, within(0.1));
        assertThat(LeastSquares.fit(near, observed).condition()).isGreaterThan(100);
    }

    @Test
    void findsEigenvaluesAndTheInverse() {
        SymmetricEigen eigen = SymmetricEigen.of(new double[][] {{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}});

        assertThat(Arrays.stream(eigen.values())
                        .map(value -> -value)
                        .sorted()
                        .map(value -> -value)
                        .toArray())
                .containsExactly(new double[] {2 + Math.sqrt(2), 2, 2 - Math.sqrt(2)}, within(1e-9));
        assertThat(eigen.inverseDiagonal(0)).isCloseTo(0.75, within(1e-9));
        assertThat(eigen.inverseDiagonal(1)).isCloseTo(1, within(1e-9));
    }
}
